#include "explore/work_item.hpp"

#include <xxhash.h>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace heddle {
namespace {

constexpr std::string_view kMagic = "heddle work item\n";
constexpr uint64_t kVersion = 2;

[[noreturn]] void refuse(const std::string& why) { throw UserError("this work item cannot be read: " + why); }

std::string check_sum(std::string_view bytes) {
  XXH64_canonical_t sum;
  XXH64_canonicalFromHash(&sum, XXH3_64bits(bytes.data(), bytes.size()));
  return {reinterpret_cast<const char*>(sum.digest), sizeof sum.digest};
}

uint64_t rules(const Machine& machine, const Request& request) {
  Hash hash;
  hash.add(name(request.algorithm)).add(name(request.model));
  hash.add(request.races_ignore).add(request.rcmc.psc).add(machine.rules());
  return hash.value();
}

}  // namespace

std::string seal_item(const std::string& contents, const Machine& machine, const Request& request) {
  Writer head;
  head.number(kVersion);
  head.number(rules(machine, request));
  head.number(contents.size());
  std::string item = std::string(kMagic) + head.bytes() + contents;
  return item + check_sum(item);
}

std::string open_item(std::string_view item, const Machine& machine, const Request& request) {
  if (!item.starts_with(kMagic)) refuse("it is none");
  constexpr std::size_t kSum = sizeof(XXH64_canonical_t);
  if (item.size() < kMagic.size() + kSum) refuse("it is cut off");
  const std::string_view sum = item.substr(item.size() - kSum);
  item.remove_suffix(kSum);
  if (check_sum(item) != sum) refuse("its check sum is wrong: it is damaged or cut off");
  item.remove_prefix(kMagic.size());
  try {
    Reader head(item);
    const uint64_t version = head.number();
    if (version != kVersion) refuse("it has version " + std::to_string(version) + ", not " + std::to_string(kVersion));
    if (head.number() != rules(machine, request)) {
      refuse("it was made for another program, algorithm, memory model, or with other options");
    }
    if (head.number() != head.rest().size()) refuse("its length is wrong");
    return std::string(head.rest());
  } catch (const UserError&) {
    throw;
  } catch (const std::runtime_error& e) {
    refuse(e.what());
  }
}

}  // namespace heddle
