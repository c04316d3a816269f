#include "cli/identity.hpp"

#include <fmt/format.h>
#include <sys/personality.h>
#include <unistd.h>

#include "cli/command_line.hpp"
#include "cli/files.hpp"
#include "core/bytes.hpp"
#include "core/hash.hpp"
#include "explore/share/work_item.hpp"

namespace heddle::cli {

std::string Identity::bytes() const {
  ByteWriter out;
  out.text(version);
  out.number(build);
  out.text(options);
  out.number(code);
  out.number(rules);
  return out.bytes();
}

Identity Identity::of_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  Identity i;
  i.version = in.text();
  i.build = in.number();
  i.options = in.text();
  i.code = in.number();
  i.rules = in.number();
  return i;
}

Identity identity_of_heddle() {
  Identity i;
  i.version = HEDDLE_VERSION;
  i.build = Hash().add(contents_of("/proc/self/exe")).value();
  return i;
}

Identity identity_of(const Options& options, uint64_t code, const Machine& machine, const Request& request) {
  Identity i = identity_of_heddle();
  i.options = deciding_options(options);
  i.code = code;
  i.rules = item_rules(machine, request);
  return i;
}

std::string difference(const Identity& other, const Identity& mine) {
  const auto shown = [](const std::string& o) { return o.empty() ? "none" : o; };
  if (other.version != mine.version)
    return fmt::format("it is of heddle {}, and this is {}; use the same", other.version, mine.version);
  if (other.build != mine.build)
    return fmt::format("it is of another build of heddle {}; use the same one", mine.version);
  if (other.options != mine.options)
    return fmt::format("it has other options: {}, and here: {}", shown(other.options), shown(mine.options));
  if (other.code != mine.code) return "it is of another program, or the program has changed since, or clang has";
  if (other.rules != mine.rules) {
    return "the program is the same, but not where it and the libraries lie in memory; the libraries must be the same, "
           "and this system must allow to switch off the randomisation of addresses (personality)";
  }
  return "";
}

void put_libraries_in_place(const std::vector<std::string>& words) {
  const int now = personality(0xffffffff);
  if (now == -1 || (now & ADDR_NO_RANDOMIZE) != 0) return;
  if (personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) == -1) return;
  std::vector<std::string> copy = words;
  std::vector<char*> arguments;
  for (std::string& word : copy) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv("/proc/self/exe", arguments.data());
}

}  // namespace heddle::cli
