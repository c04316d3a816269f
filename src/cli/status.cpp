#include "cli/status.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "redis/queue.hpp"

namespace heddle::cli {
namespace {

const char* phase_name(const redis::Progress& p) {
  switch (p.look.phase) {
    case Look::Phase::working: return "working";
    case Look::Phase::done: return "done";
    case Look::Phase::trouble: return "error";
    case Look::Phase::paused: return "paused";
    case Look::Phase::none: break;
  }
  return "beginning";
}

}  // namespace

std::string status(const Options& options) {
  redis::RedisQueue queue(*options.queue);
  const redis::Progress p = queue.progress();
  if (p.over) throw UserError(queue.url().shown() + ": there is no such check, or it has come to its end");
  const Part& part = p.look.part;
  if (options.format == "json") {
    const nlohmann::ordered_json out = {{"phase", phase_name(p)},      {"executions", part.executions},
                                        {"blocked", part.blocked},     {"events", part.events},
                                        {"exploration", p.number + 1}, {"leased", p.look.leased},
                                        {"queued", p.look.queued},     {"waiting", p.waiting},
                                        {"lost", p.look.losses},       {"check_is_running", p.owned}};
    return out.dump(2) + "\n";
  }
  return fmt::format(
      "{}: {} executions, {} blocked so far, in exploration {}\n"
      "{} parts are being explored, {} wait, {} processes have nothing to do; {} parts were given to another\n"
      "{}\n",
      phase_name(p), part.executions, part.blocked, p.number + 1, p.look.leased, p.look.queued, p.waiting,
      p.look.losses, p.owned ? "the check is running" : "the check is not running; the same command goes on with it");
}

}  // namespace heddle::cli
