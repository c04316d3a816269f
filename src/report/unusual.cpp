#include "report/unusual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/places.hpp"

namespace heddle {
namespace {

std::string single_execution(const Unusual& unusual) {
  if (unusual.threads == 0)
    return "the program starts no threads, so that there is only one execution; did you mean to start some?";
  return fmt::format(
      "there is only one execution, although the program starts {}: no order of what they do makes a difference",
      unusual.threads == 1 ? "a thread" : fmt::format("{} threads", unusual.threads));
}

std::string unjoined(const std::vector<std::string>& threads) {
  constexpr std::size_t kShown = 3;
  if (threads.size() == 1) return threads[0] + " is neither joined nor detached";
  if (threads.size() <= kShown) return fmt::format("{} are neither joined nor detached", fmt::join(threads, ", "));
  return fmt::format("{} threads, such as {}, are neither joined nor detached", threads.size(), threads[0]);
}

std::string leak(const Unusual& unusual, const SiteTable& sites) {
  const Site* const site = user_site(sites, unusual.leaked_at);
  const std::string at = site == nullptr ? "" : " at " + shown_place(site);
  if (unusual.leaked_blocks == 1)
    return fmt::format("memory that is allocated{} is not freed at the end ({} bytes)", at, unusual.leaked_bytes);
  return fmt::format("{} blocks of memory are not freed at the end ({} bytes); the first is allocated{}",
                     unusual.leaked_blocks, unusual.leaked_bytes, at);
}

}  // namespace

std::vector<std::string> notes(const Result& result, const SiteTable& sites) {
  if (!result.unusual || result.verdict == Verdict::error) return {};
  const Unusual& unusual = *result.unusual;
  std::vector<std::string> out;
  if (result.verdict == Verdict::verified && result.executions == 1 && result.blocked == 0)
    out.push_back(single_execution(unusual));
  if (!unusual.unjoined.empty()) out.push_back(unjoined(unusual.unjoined));
  if (unusual.leaked_blocks != 0) out.push_back(leak(unusual, sites));
  if (unusual.aligned_at != kNoSite) {
    const Site* const site = user_site(sites, unusual.aligned_at);
    out.push_back(fmt::format("an allocation{} asks for an alignment of {}, which is no power of two: it gets none",
                              site == nullptr ? "" : " at " + shown_place(site), unusual.alignment));
  }
  return out;
}

}  // namespace heddle
