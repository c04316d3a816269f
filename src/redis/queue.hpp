// The work queue in Redis (scripts.hpp), which processes of many machines share. A lease ends when its worker has said
// nothing for some time; what it says afterwards is not heard.
#pragma once

#include <string>
#include <vector>

#include "explore/share/work_queue.hpp"
#include "redis/connection.hpp"
#include "redis/scripts.hpp"

namespace heddle::redis {

// What a check tells its workers. The rest is up to the process that reads it.
struct Charter {
  std::string identity;
  std::string words;
  std::string bitcode;
};

// What `heddle status` shows.
struct Progress {
  Look look;
  bool over = false;   // the check has come to its end, or there is none
  bool owned = false;  // the check that has begun it lives
  uint64_t waiting = 0;
  uint64_t number = 0;  // of the exploration, from 0
};

class RedisQueue : public OwnQueue {
 public:
  explicit RedisQueue(const std::string& url) : connection_(parse_url(url)), me_(random_name()) {}

  const Url& url() const { return connection_.url(); }

  // For the check: makes the queue, or goes on with it. If it is another check's, that one's identity is the answer.
  // Throws UserError if a check works on it right now.
  std::optional<std::string> open(const Charter& charter, double lease);
  // The check has its verdict: nothing is kept, and the workers may go.
  void finish();
  // For a worker. Throws UserError if there is no such check.
  Charter charter();
  Progress progress(unsigned waiting = 0);
  Progress last;  // of the last look

  std::optional<Work> claim() override;
  bool report(const Report& report) override;
  void tell_trouble(const std::string& token, const std::string& message) override;
  void give_back(const std::string& token) override;
  Look look(unsigned waiting) override;
  Pace pace() const override { return {.look = 0.1, .worth = 100}; }

  bool has_begun(uint64_t number, const std::string& before) override;
  void begin(const Beginning& beginning) override;
  std::string settings() override;
  Trouble trouble() override;
  void pause() override;
  std::optional<std::string> remembered(uint64_t number, const std::string& before) override;
  void remember(uint64_t number, const std::string& before, const std::string& what) override;

 private:
  static std::string random_name();
  std::string key(const std::string& part) const { return "heddle:{" + url().name + "}:" + part; }
  Reply run(const std::string& script, const std::vector<std::string>& arguments) {
    return connection_.run(script, key(""), arguments);
  }
  Reply call(const std::vector<std::string_view>& words);

  Connection connection_;
  const Scripts scripts_;
  const std::string me_;
  bool owns_ = false;
  uint64_t claims_ = 0;
  unsigned waited_ = 0;  // processes, at the last look
};

}  // namespace heddle::redis
