#include "report/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heddle {

const Site* user_site(const SiteTable& sites, SiteId id) {
  return id == kNoSite ? nullptr : &sites[user_frame(sites, id)];
}

namespace {

// "push" of "Ring<int, 2>::push<true>".
std::string short_name(const std::string& function) {
  std::size_t start = 0, end = function.size(), depth = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    if (i == start && function.compare(i, 8, "operator") == 0) return function.substr(i);
    if (function[i] == '<' && depth++ == 0) end = i;
    if (function[i] == '>' && depth > 0) --depth;
    if (depth == 0 && function[i] == ':') start = i + 1, end = function.size();
  }
  return function.substr(start, end - start);
}

}  // namespace

std::vector<const Site*> frames(const SiteTable& sites, SiteId id) {
  std::vector<const Site*> out;
  std::size_t users = 0;  // up to the outermost of the user's
  for (SiteId s = id; s != kNoSite; s = sites[s].caller) {
    const Site& site = sites[s];
    if (site.file.empty() || site.line == 0 || is_standard_file(site.file)) continue;
    out.push_back(&site);
    if (!is_library_file(site.file)) users = out.size();
  }
  out.resize(users);
  std::ranges::reverse(out);
  if (out.empty() && id != kNoSite) out.push_back(user_site(sites, id));
  return out;
}

std::vector<Frame> files_entered(const SiteTable& sites, SiteId id) {
  const std::vector<const Site*> all = frames(sites, id);
  std::vector<Frame> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool last = i + 1 == all.size();
    if (last || all[i + 1]->file != all[i]->file) out.push_back({all[i], last ? "" : short_name(all[i + 1]->function)});
  }
  if (out.size() < 2) return out;
  const std::string in = short_name(all.back()->function);
  if (in != out[out.size() - 2].calls) out.back().calls = in;
  return out;
}

std::string shown_calls(const SiteTable& sites, SiteId id, std::string_view arrow) {
  const std::vector<Frame> all = files_entered(sites, id);
  std::string out;
  if (all.size() < 2) return out;
  for (const Frame& frame : all) {
    if (!out.empty()) out += fmt::format(" {} ", arrow);
    out += fmt::format("{}:{}", base_name(frame.site->file), frame.site->line);
    if (!frame.calls.empty()) out += (&frame == &all.back() ? " in " : " ") + frame.calls;
  }
  return out;
}

std::string base_name(const std::string& file) { return std::filesystem::path(file).filename().string(); }

std::string shown_path(const std::string& file) {
  std::error_code ignored;
  const std::string here = std::filesystem::current_path(ignored).string() + "/";
  const std::string shown = file.starts_with(here) ? file.substr(here.size()) : file;
  return shown.starts_with("./") ? shown.substr(2) : shown;
}

std::string shown_place(const Site* site) {
  if (!site || site->line == 0) return "an unknown place";
  if (site->column == 0) return fmt::format("{}:{}", shown_path(site->file), site->line);
  return fmt::format("{}:{}:{}", shown_path(site->file), site->line, site->column);
}

std::string message_of(const Error& e, const SiteTable& sites) {
  const bool is_volatile = sites[e.site].is_volatile || sites[e.other_site].is_volatile;
  if (e.kind != ErrorKind::race || !is_volatile) return e.message;
  return e.message + "; volatile is not atomic, unless with --volatile relaxed";
}

std::string shown_followed(const FollowedLoop& f, const SiteTable& sites) {
  return fmt::format("the loop at {}, since a round may change something, as at {}",
                     shown_place(user_site(sites, f.loop)), shown_place(user_site(sites, f.change)));
}

std::string shown_limit(const LimitHit& hit, const Result& result, const SiteTable& sites) {
  const std::string place = shown_place(user_site(sites, hit.site));
  const auto followed = std::ranges::find(result.followed, hit.site, &FollowedLoop::loop);
  const std::string change = followed == result.followed.end() ? "" : shown_place(user_site(sites, followed->change));
  switch (hit.limit) {
    case Limit::executions: return "the allowed number of executions was reached; raise --max-executions";
    case Limit::time: return "the time limit was reached; raise --time-limit";
    case Limit::memory: return "the memory limit was reached; raise --memory-limit";
    case Limit::interrupted: return "the run was interrupted";
    case Limit::killed: return "the run was killed, most likely by the system for lack of memory; use --memory-limit";
    case Limit::unchecked:
      return "an execution is too long to be held against the literal axioms; leave --self-check out, or make the test "
             "smaller";
    case Limit::unroll: return fmt::format("the loop at {} was cut; raise --unroll to see more of it", place);
    case Limit::loop:
      return fmt::format(
          "the loop at {} goes round again and again{}; {}bound it with --unroll, or with --no-timeouts if it waits "
          "with "
          "a time limit{}",
          place, change.empty() ? "" : fmt::format(", and changes something at {}", change),
          hit.tried == 0
              ? ""
              : fmt::format("all executions in which it does so up to {} times have been explored; ", hit.tried),
          change.empty() ? ", or see --verbose for why" : "");
    case Limit::steps:
      return fmt::format(
          "a thread did too many visible actions, the last at {}: does the loop end? Bound it with --unroll N or "
          "heddle_assume, or raise --step-limit",
          place);
    case Limit::silent:
      return fmt::format("the loop at {} ran for very long without a visible action: endless, or raise --spin-limit",
                         place);
    case Limit::inputs:
      return fmt::format("of the input at {} only the values {} were tried; raise --nondet", place,
                         hit.tried == 1 ? "0" : fmt::format("0 to {}", hit.tried - 1));
    case Limit::assumption:
      return fmt::format(
          "no execution is complete: in each of them a thread stops for good{}; what would come after has not been "
          "looked at",
          hit.site == kNoSite ? "" : fmt::format(", at the assumption at {} for one", place));
  }
  return "";
}

const std::vector<std::string>& Sources::lines(const std::string& file) {
  auto [it, is_new] = files_.try_emplace(file);
  if (is_new) {
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);) it->second.push_back(std::move(text));
  }
  return it->second;
}

std::string Sources::line(const std::string& file, unsigned number) {
  const std::vector<std::string>& all = lines(file);
  return number >= 1 && number <= all.size() ? all[number - 1] : std::string();
}

}  // namespace heddle
