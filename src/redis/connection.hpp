// A connection to a Redis server that comes back after the server was gone: a command is repeated until there is an
// answer, or for a minute. So each command must have the same effect if it comes twice.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "redis/url.hpp"

struct redisContext;

namespace heddle::redis {

struct Reply {
  enum class Kind : uint8_t { nothing, number, text, list, error } kind = Kind::nothing;
  int64_t number = 0;
  std::string text;
  std::vector<Reply> list;

  // Throw std::runtime_error if it is something else.
  const std::string& as_text() const;
  uint64_t as_count() const;  // a number, or a text that is one
  const Reply& at(std::size_t i) const;
};

class Connection {
 public:
  // Throws UserError if there is no such server, or it does not let us in. Later the server may be gone for a while.
  explicit Connection(Url url);

  Reply call(const std::vector<std::string_view>& words);
  // A Lua script with one key, by its text.
  Reply run(const std::string& script, std::string_view key, const std::vector<std::string>& arguments);

  const Url& url() const { return url_; }

 private:
  bool connect(std::string& why);
  bool log_in(std::string& why);
  bool asked(const std::vector<std::string_view>& words, Reply& reply, std::string& why);
  bool expect_ok(const std::vector<std::string_view>& words, std::string& why);

  struct Free {
    void operator()(redisContext* context) const;
  };

  const Url url_;
  std::unique_ptr<redisContext, Free> context_;  // null: not connected
  std::map<std::string, std::string> hashes_;    // of scripts, by which the server knows them
};

}  // namespace heddle::redis
