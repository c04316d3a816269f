#include "redis/connection.hpp"

#include <hiredis/hiredis.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <stdexcept>

#include "core/assert.hpp"
#include "core/error.hpp"
#include "core/steady_clock.hpp"
#include "core/stop.hpp"

namespace heddle::redis {
namespace {

constexpr timeval kAnswer{10, 0};              // seconds to wait for one
constexpr std::chrono::seconds kPatience{60};  // for a server that is gone
constexpr unsigned kFirstPause = 20'000;       // microseconds between two tries, then twice as many
constexpr unsigned kLongestPause = 1'000'000;

Reply reply_of(const redisReply& r) {
  Reply reply;
  switch (r.type) {
    case REDIS_REPLY_INTEGER:
      reply.kind = Reply::Kind::number;
      reply.number = r.integer;
      break;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
    case REDIS_REPLY_ERROR:
      reply.kind = r.type == REDIS_REPLY_ERROR ? Reply::Kind::error : Reply::Kind::text;
      reply.text.assign(r.str, static_cast<std::size_t>(r.len));
      break;
    case REDIS_REPLY_ARRAY:
      reply.kind = Reply::Kind::list;
      for (std::size_t i = 0; i < r.elements; ++i) reply.list.push_back(reply_of(*r.element[i]));
      break;
    default: break;
  }
  return reply;
}

// The server is there but not ready: it reads its file, or runs a script of another client.
bool is_passing(const Reply& reply) {
  return reply.kind == Reply::Kind::error &&
         (reply.text.starts_with("LOADING") || reply.text.starts_with("BUSY") || reply.text.starts_with("TRYAGAIN"));
}

}  // namespace

const std::string& Reply::as_text() const {
  if (kind != Kind::text) throw std::runtime_error("Redis has answered something else than a text");
  return text;
}

uint64_t Reply::as_count() const {
  if (kind == Kind::number && number >= 0) return static_cast<uint64_t>(number);
  uint64_t n = 0;
  if (kind != Kind::text || std::from_chars(text.data(), text.data() + text.size(), n).ec != std::errc())
    throw std::runtime_error("Redis has answered something else than a number");
  return n;
}

const Reply& Reply::at(std::size_t i) const {
  if (kind != Kind::list || i >= list.size()) throw std::runtime_error("Redis has answered something else than a list");
  return list[i];
}

Connection::Connection(Url url) : url_(std::move(url)) {
  std::string why;
  if (!connect(why)) throw UserError(url_.shown() + ": " + why);
}

void Connection::Free::operator()(redisContext* context) const { redisFree(context); }

bool Connection::connect(std::string& why) {
  context_.reset(redisConnectWithTimeout(url_.host.c_str(), url_.port, kAnswer));
  if (context_ == nullptr || context_->err != 0) {
    why = std::string("there is no connection: ") + (context_ != nullptr ? context_->errstr : "out of memory");
    context_.reset();
    return false;
  }
  redisSetTimeout(context_.get(), kAnswer);
  redisEnableKeepAlive(context_.get());
  if (log_in(why)) return true;
  context_.reset();
  return false;
}

bool Connection::log_in(std::string& why) {
  if (!url_.password.empty()) {
    std::vector<std::string_view> words = {"AUTH"};
    if (!url_.user.empty()) words.emplace_back(url_.user);
    words.emplace_back(url_.password);
    if (!expect_ok(words, why)) return false;
  }
  return url_.database == 0 || expect_ok({"SELECT", std::to_string(url_.database)}, why);
}

bool Connection::expect_ok(const std::vector<std::string_view>& words, std::string& why) {
  Reply reply;
  if (!asked(words, reply, why)) return false;
  if (reply.kind != Reply::Kind::error) return true;
  why = reply.text;
  return false;
}

bool Connection::asked(const std::vector<std::string_view>& words, Reply& reply, std::string& why) {
  HEDDLE_ASSERT(context_ != nullptr && !words.empty());
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (const std::string_view w : words) {
    texts.push_back(w.data());
    sizes.push_back(w.size());
  }
  auto* const r = static_cast<redisReply*>(
      redisCommandArgv(context_.get(), static_cast<int>(words.size()), texts.data(), sizes.data()));
  if (r == nullptr) {
    why = context_->errstr;
    context_.reset();
    return false;
  }
  reply = reply_of(*r);
  freeReplyObject(r);
  return true;
}

Reply Connection::call(const std::vector<std::string_view>& words) {
  const auto end = SteadyClock::now() + kPatience;
  unsigned pause = kFirstPause;
  for (;;) {
    std::string why;
    Reply reply;
    if ((context_ != nullptr || connect(why)) && asked(words, reply, why)) {
      if (!is_passing(reply)) return reply;
      why = reply.text;
    }
    if (stop::asked != Stop::none) throw UserError(url_.shown() + ": stopped while there was no answer: " + why);
    if (SteadyClock::now() > end) {
      throw UserError(url_.shown() + ": there was no answer for a minute: " + why +
                      "; what is in Redis stays there: start again when the server is back");
    }
    usleep(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
}

Reply Connection::run(const std::string& script, std::string_view key, const std::vector<std::string>& arguments) {
  std::string& hash = hashes_[script];
  for (int tries = 0;; ++tries) {
    std::vector<std::string_view> words = {"EVALSHA", hash, "1", key};
    words.insert(words.end(), arguments.begin(), arguments.end());
    Reply reply;
    if (!hash.empty()) reply = call(words);
    const bool unknown = hash.empty() || (reply.kind == Reply::Kind::error && reply.text.starts_with("NOSCRIPT"));
    if (!unknown || tries > 3) {
      if (reply.kind == Reply::Kind::error) throw UserError(url_.shown() + ": Redis refuses: " + reply.text);
      return reply;
    }
    const Reply loaded = call({"SCRIPT", "LOAD", script});
    if (loaded.kind != Reply::Kind::text) throw UserError(url_.shown() + ": Redis refuses scripts: " + loaded.text);
    hash = loaded.text;
  }
}

}  // namespace heddle::redis
