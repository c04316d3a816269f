#include "report/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/assert.hpp"
#include "report/places.hpp"

namespace heddle {
namespace {

constexpr std::size_t kShort = 24;  // a trace up to this length is shown in full
constexpr std::size_t kMost = 60;   // of a longer one not many more are shown

constexpr std::string_view kForEver = "waits for ever";

std::string with_mode(std::string_view what, Mode mode) {
  return is_atomic(mode) ? fmt::format("{}({})", what, name(mode)) : std::string(what);
}

// Whether the finding is that some thread can never go on.
bool stuck(const Finding& f) { return f.error.kind == ErrorKind::deadlock || f.error.kind == ErrorKind::livelock; }

bool succeeds(const TraceStep& s) { return s.read && *s.read == s.action.expected; }

// The end of a thread says little, and neither does a join that the failure came before, or what a library frees by
// itself.
bool is_noise(const TraceStep& step, const Finding& finding, const SiteTable& sites) {
  if (step.action.kind == ActionKind::exit) return true;
  const Site* const site = user_site(sites, step.action.site);
  if (step.action.kind == ActionKind::free && site != nullptr && is_library_file(site->file)) return true;
  return step.action.kind == ActionKind::join && step.blocked && !stuck(finding);
}

}  // namespace

std::string long_name(const TraceThread& thread) {
  const std::string id = name_of(thread.id);
  return thread.name.empty() || thread.name == id ? id : id + " " + thread.name;
}

StepTeller::StepTeller(const Finding& finding, const SiteTable& sites, const Style& style)
    : finding_(finding), sites_(sites), style_(style), values_(finding.trace) {
  const auto begins_in = [&](SiteId id) {
    const std::vector<const Site*> all = frames(sites, id);
    return all.empty() ? "" : all.front()->file;
  };
  std::map<std::string, std::size_t> uses;
  for (const TraceStep& step : finding.trace.steps) ++uses[begins_in(step.action.site)];
  std::size_t most = 0;
  for (const auto& [file, count] : uses)
    if (count > most && !file.empty()) most = count, main_file_ = file;
  if (const std::string file = begins_in(finding.error.site); !file.empty()) main_file_ = file;
}

std::string StepTeller::line(SiteId id) const {
  const std::vector<const Site*> all = frames(sites_, id);
  return all.empty() ? "" : line(*all.back());
}

std::string StepTeller::line(const Site& site) const {
  if (site.line == 0) return "";
  if (site.file == main_file_) return fmt::format("{}", site.line);
  return fmt::format("{}:{}", base_name(site.file), site.line);
}

std::string StepTeller::call(SiteId id) const {
  const std::vector<Frame> all = files_entered(sites_, id);
  std::string out;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const std::string where = line(*all[i].site);
    out += i == 0 ? fmt::format("{:>3}  ", where) : fmt::format(" {} {} ", style_.to(), where);
    out += all[i].calls;
  }
  return out;
}

std::string StepTeller::at(SiteId id, const std::string& what) const {
  const bool inside = files_entered(sites_, id).size() > 1;
  return fmt::format("{}{:>3}  {}", inside ? "     " : "", line(id), what);
}

std::string StepTeller::place(SiteId id) const {
  const std::string at = line(id);
  return at.empty() || at.find(':') != std::string::npos ? at : "line " + at;
}

std::string StepTeller::who(ThreadId thread, SiteId site) const {
  const std::string at = place(site);
  return at.empty() ? name_of(thread) : name_of(thread) + " " + at;
}

std::string StepTeller::source(const TraceStep& step) const {
  if (step.rf < 0) return fmt::format("{} initial", style_.from());
  const TraceStep& write = finding_.trace.steps[step.rf];
  return fmt::format("{} {}", style_.from(), who(write.thread, write.action.site));
}

StepParts StepTeller::access(const TraceStep& step) const {
  const Action& a = step.action;
  const auto text = [&](const std::optional<Value>& v) { return v ? value(*v, step) : "?"; };
  const auto change = [&] {
    return fmt::format("{}: {} {} {}", step.location, text(step.read), style_.to(), text(step.written));
  };
  const auto equals = [&](const std::optional<Value>& v) { return fmt::format("{} = {}", step.location, text(v)); };
  if (a.kind == ActionKind::load) return {with_mode("read", a.mode), equals(step.read), source(step)};
  if (a.kind == ActionKind::store) return {with_mode("write", a.mode), equals(step.written), ""};
  if (a.kind == ActionKind::rmw) return {with_mode(name(a.op), a.mode), change(), source(step)};
  if (succeeds(step)) return {with_mode("cas", a.mode), change(), source(step)};
  return {with_mode("cas", a.fail_mode), fmt::format("{}, not {}: fails", equals(step.read), value(a.expected, step)),
          source(step)};
}

StepParts StepTeller::object(const TraceStep& step) const {
  const Purpose purpose = step.action.purpose;
  const bool busy = purpose == Purpose::mutex_trylock && !step.written;
  const bool none = purpose == Purpose::notify && step.read == Value{};
  return {std::string(name(purpose)),
          step.location + (busy   ? ": busy"
                           : none ? ": no thread waits"
                                  : ""),
          busy ? source(step) : ""};
}

StepParts StepTeller::parts(const TraceStep& step) const {
  const Action& a = step.action;
  switch (a.kind) {
    case ActionKind::fence: return {with_mode("fence", a.mode), "", ""};
    case ActionKind::create: return {"create", name_of(a.child), ""};
    case ActionKind::join: return {"join", name_of(a.child), ""};
    case ActionKind::exit: return {"exit", "", ""};
    case ActionKind::free:
      return {a.retire ? "retire" : "free", step.location.empty() ? values_.show({a.addr, 0}, 8) : step.location, ""};
    case ActionKind::choose:
      if (a.purpose == Purpose::time_limit)
        return {step.read == Value{1, 0} ? "reaches its time limit" : "is woken in time", "", ""};
      if (a.purpose == Purpose::earlier_round)
        return {step.read == Value{1, 0} ? "looks again before it goes on" : "looks once", "", ""};
      return {"choose", fmt::format("{} of 0..{}", step.read ? step.read->lo : 0, a.bound - 1), ""};
    case ActionKind::help: return {a.helping ? "helps with the cas of" : "may be helped: cas of", step.location, ""};
    case ActionKind::block:
      switch (a.reason) {
        case BlockReason::assume: return {"stops:", "assumption is false", ""};
        case BlockReason::spin: return {"turns round", "", ""};
        case BlockReason::unroll:
        case BlockReason::cut: return {"stops:", "loop bound reached", ""};
        case BlockReason::mixed: return {"goes round", "", ""};
        default: return {"stops:", "step limit reached", ""};
      }
    case ActionKind::arrive: return {"arrives at", step.location, ""};
    case ActionKind::leave: return {step.blocked ? "waits at" : "leaves", step.location, ""};
    case ActionKind::look: return {"looks at", step.location, ""};
    case ActionKind::error: return {"fails", "", ""};
    case ActionKind::done: return {"done", "", ""};
    default: break;
  }
  const bool plain = a.purpose == Purpose::access || a.purpose == Purpose::other;
  return plain ? access(step) : object(step);
}

std::string StepTeller::action(const TraceStep& step) const {
  const StepParts parts = this->parts(step);
  std::string text = parts.what;
  for (const std::string& part : {parts.on, parts.from})
    if (!part.empty()) text += " " + part;
  return text;
}

std::string StepTeller::tell(const TraceStep& step) const {
  std::string text = at(step.action.site, action(step));
  const std::string waits = waiting(step);
  if (waits.empty()) return text;
  return fmt::format("{} {}{}", text, waits == kForEver ? std::string(style_.cross()) + " " : "", waits);
}

bool StepTeller::stuck() const { return heddle::stuck(finding_); }

std::string StepTeller::waiting(const TraceStep& step) const {
  if (!step.blocked) return "";
  if (step.action.assumed) return "stops: assumption is false";
  return std::string(stuck() ? kForEver : "waits");
}

std::string StepTeller::failure() const {
  return at(finding_.error.site, fmt::format("{} {}", style_.cross(), name(finding_.error.kind)));
}

namespace {

// What the failure depends on: all steps of its threads, the writes that these have read from, and so on; and what
// other threads wrote to places that were read there, since a read may have missed it.
std::vector<bool> causes(const Finding& finding) {
  const std::vector<TraceStep>& steps = finding.trace.steps;
  const Error& e = finding.error;
  std::vector<bool> keep(steps.size());
  std::set<ThreadId> threads = {e.thread, e.other_thread};
  std::set<Address> read;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const TraceStep& step = steps[i];
    HEDDLE_ASSERT(step.rf < static_cast<int>(i));  // what it reads is still to come, from the end on
    keep[i] = keep[i] || step.blocked || threads.contains(step.thread);
    // A step that is kept stands after what its thread has done before it, and after the write that it reads.
    if (!keep[i]) continue;
    threads.insert(step.thread);
    if (step.rf >= 0) keep[static_cast<std::size_t>(step.rf)] = true;
    if (step.read) read.insert(step.action.addr);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool creates = steps[i].action.kind == ActionKind::create && threads.contains(steps[i].action.child);
    keep[i] = keep[i] || creates || (steps[i].written && read.contains(steps[i].action.addr));
  }
  // Of very many the last ones, and what the failing thread has read there.
  auto left = static_cast<std::size_t>(std::ranges::count(keep, true));
  for (std::size_t i = 0; left > kMost && i < steps.size(); ++i) {
    if (!keep[i] || steps[i].blocked) continue;
    keep[i] = false;
    --left;
  }
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (keep[i] && steps[i].rf >= 0 && steps[i].thread == e.thread) keep[static_cast<std::size_t>(steps[i].rf)] = true;
  return keep;
}

}  // namespace

std::vector<ShownStep> interesting_steps(const Finding& finding, const SiteTable& sites, const Style& style) {
  const std::vector<TraceStep>& steps = finding.trace.steps;
  const bool all = style.all_steps || steps.size() <= kShort;
  const std::vector<bool> keep = all ? std::vector<bool>(steps.size(), true) : causes(finding);
  std::vector<ShownStep> shown;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!style.all_steps && is_noise(steps[i], finding, sites)) continue;
    if (keep[i]) shown.push_back({i, left_out});
    left_out = keep[i] ? 0 : left_out + 1;
  }
  return shown;
}

}  // namespace heddle
