// Where a queue is: redis://[[USER]:PASSWORD@]HOST[:PORT]/NAME[?db=N]
#pragma once

#include <string>

namespace heddle::redis {

struct Url {
  std::string user;
  std::string password;  // if it is not in the URL: HEDDLE_REDIS_PASSWORD, so that no command line shows it
  std::string host;
  int port = 6379;
  unsigned database = 0;
  std::string name;  // of the queue

  // Without the password.
  std::string shown() const;
};

// Throws UserError.
Url parse_url(const std::string& text);

}  // namespace heddle::redis
