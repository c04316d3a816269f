#include "redis/queue.hpp"

#include <unistd.h>

#include <algorithm>
#include <random>

#include "core/assert.hpp"
#include "core/error.hpp"

namespace heddle::redis {
namespace {

const std::string kMost = std::to_string(kMostLosses);

void add_counts(std::vector<std::string>& arguments, const Part& part) {
  for (const uint64_t n : {part.executions, part.blocked, part.duplicates, part.events})
    arguments.push_back(std::to_string(n));
  arguments.push_back(part.unusual);
}

Look::Phase phase_of(const std::string& name) {
  if (name == "working") return Look::Phase::working;
  if (name == "done") return Look::Phase::done;
  if (name == "trouble") return Look::Phase::trouble;
  if (name == "paused") return Look::Phase::paused;
  return Look::Phase::none;
}

}  // namespace

std::string RedisQueue::random_name() {
  std::random_device random;
  return std::to_string(getpid()) + "-" + std::to_string(random()) + std::to_string(random());
}

Reply RedisQueue::call(const std::vector<std::string_view>& words) {
  Reply reply = connection_.call(words);
  if (reply.kind == Reply::Kind::error) throw UserError(url().shown() + ": Redis refuses: " + reply.text);
  return reply;
}

std::optional<std::string> RedisQueue::open(const Charter& charter, double lease) {
  const Reply reply =
      run(scripts_.open, {me_, charter.identity, charter.words, charter.bitcode, std::to_string(lease)});
  const std::string& what = reply.at(0).as_text();
  if (what == "busy") {
    throw UserError(url().shown() +
                    ": a check of this name is running; use another name. If it was killed, try again in ten seconds: "
                    "the same command goes on from where it was");
  }
  if (what == "there") return reply.at(1).as_text();
  owns_ = true;
  return std::nullopt;
}

void RedisQueue::finish() {
  if (owns_) run(scripts_.finish, {me_});
  owns_ = false;
}

Charter RedisQueue::charter() {
  const std::string meta = key("meta");
  const Reply reply = call({"HMGET", meta, "identity", "words", "bitcode"});
  if (reply.at(0).kind != Reply::Kind::text)
    throw UserError(url().shown() + ": there is no such check; start it with: heddle check --queue " + url().shown());
  return {reply.at(0).as_text(), reply.at(1).as_text(), reply.at(2).as_text()};
}

Progress RedisQueue::progress(unsigned waiting) {
  const Reply reply =
      run(scripts_.look, {owns_ ? me_ : "", me_, std::to_string(waiting), std::to_string(waited_), kMost});
  waited_ = waiting;
  Progress progress;
  const std::string& phase = reply.at(0).as_text();
  progress.look.phase = phase_of(phase);
  progress.over = phase == "over";
  if (progress.over) return progress;
  const Reply& counts = reply.at(1);
  Part& part = progress.look.part;
  part = {counts.at(0).as_count(), counts.at(1).as_count(), counts.at(2).as_count(), counts.at(3).as_count(), {}, {}};
  part.unusual = counts.at(4).as_text();
  progress.look.losses = counts.at(5).as_count();
  progress.look.queued = reply.at(2).as_count();
  progress.look.leased = reply.at(3).as_count();
  progress.waiting = reply.at(4).as_count();
  progress.look.hungry = progress.waiting - std::min(progress.waiting, progress.look.queued);
  for (const Reply& mark : reply.at(5).list) part.marks.push_back(mark.as_text());
  progress.owned = reply.at(6).as_count() != 0;
  progress.number = reply.at(7).as_count();
  return progress;
}

Look RedisQueue::look(unsigned waiting) {
  last = progress(waiting);
  const bool gone = last.look.phase == Look::Phase::none || last.look.phase == Look::Phase::paused;
  if (owns_ && gone) throw UserError(url().shown() + ": the queue is gone: it was removed or stopped");
  return last.look;
}

std::optional<Work> RedisQueue::claim() {
  const std::string token = me_ + "." + std::to_string(++claims_);
  const Reply reply = run(scripts_.claim, {token, kMost});
  if (reply.list.empty()) return std::nullopt;
  return Work{token, reply.at(0).as_text(), reply.at(1).as_text(), reply.at(2).as_count()};
}

bool RedisQueue::report(const Report& report) {
  std::vector<std::string> arguments = {report.token, std::to_string(report.number), std::to_string(report.version)};
  add_counts(arguments, report.part);
  arguments.push_back(report.rest);
  arguments.push_back(report.learnt);
  arguments.push_back(std::to_string(report.part.marks.size()));
  arguments.insert(arguments.end(), report.part.marks.begin(), report.part.marks.end());
  arguments.insert(arguments.end(), report.given.begin(), report.given.end());
  HEDDLE_ASSERT(arguments.size() == 11 + report.part.marks.size() + report.given.size());  // as the script counts them
  HEDDLE_ASSERT(report.number > 0 && report.told.empty());
  HEDDLE_ASSERT(std::ranges::none_of(report.given, &std::string::empty));
  return run(scripts_.report, arguments).as_count() != 0;
}

void RedisQueue::tell_trouble(const std::string& token, const std::string& message) {
  run(scripts_.trouble, {token, message});
}

void RedisQueue::give_back(const std::string& token) { run(scripts_.give_back, {token, kMost}); }

bool RedisQueue::has_begun(uint64_t number, const std::string& before) {
  return run(scripts_.has_begun, {std::to_string(number), before}).as_count() != 0;
}

void RedisQueue::begin(const Beginning& beginning) {
  std::vector<std::string> arguments = {std::to_string(beginning.number), beginning.before, beginning.settings,
                                        beginning.bundle};
  add_counts(arguments, beginning.part);
  arguments.insert(arguments.end(), beginning.part.marks.begin(), beginning.part.marks.end());
  HEDDLE_ASSERT(arguments.size() == 9 + beginning.part.marks.size() && !beginning.bundle.empty());
  run(scripts_.begin, arguments);
}

std::string RedisQueue::settings() {
  const std::string list = key("settings");
  return call({"LINDEX", list, "-1"}).as_text();
}

Trouble RedisQueue::trouble() {
  const Reply reply = run(scripts_.trouble, {});
  return {reply.at(0).as_text(), reply.at(1).as_text(), reply.at(2).as_text()};
}

void RedisQueue::pause() {
  run(scripts_.pause, {me_});
  owns_ = false;
}

std::optional<std::string> RedisQueue::remembered(uint64_t number, const std::string& before) {
  const std::string memory = key("memory");
  const std::string n = std::to_string(number);
  const Reply reply = call({"HMGET", memory, n + ":before", n + ":what"});
  if (reply.at(0).kind != Reply::Kind::text || reply.at(0).text != before) return std::nullopt;
  return reply.at(1).as_text();
}

void RedisQueue::remember(uint64_t number, const std::string& before, const std::string& what) {
  const std::string memory = key("memory");
  const std::string n = std::to_string(number);
  call({"HSET", memory, n + ":before", before, n + ":what", what});
}

}  // namespace heddle::redis
