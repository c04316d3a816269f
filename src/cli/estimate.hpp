// `heddle estimate`, and the estimate that a status line shows.
#pragma once

#include "cli/answer.hpp"
#include "cli/options.hpp"
#include "explore/explore.hpp"

namespace heddle::cli {

Answer estimate(const Options& options);

// While a program is explored, a process of its own estimates how much there is to explore, and tells the process that
// shows the progress (core/stop.hpp). It begins late, so that short explorations do not pay for it. Its life ends with
// this object.
class Forecast {
 public:
  Forecast(Machine& machine, const Request& request);
  ~Forecast();
  Forecast(const Forecast&) = delete;
  Forecast& operator=(const Forecast&) = delete;

 private:
  int process_ = -1;
};

}  // namespace heddle::cli
