#include "explore/work_item.hpp"

#include <xxhash.h>

#include <cstring>

#include "core/error.hpp"

namespace heddle {
namespace {

constexpr std::string_view kMagic = "heddle work item\n";
constexpr uint64_t kVersion = 1;

[[noreturn]] void refuse(const std::string& why) { throw UserError("this work item cannot be read: " + why); }

std::string check_sum(std::string_view bytes) {
  const XXH64_hash_t hash = XXH3_64bits(bytes.data(), bytes.size());
  std::string sum(sizeof hash, '\0');
  std::memcpy(sum.data(), &hash, sizeof hash);
  return sum;
}

}  // namespace

std::string seal_item(const std::string& contents, const Request& request) {
  Writer head;
  head.number(kVersion);
  head.number(static_cast<uint64_t>(request.algorithm));
  head.number(static_cast<uint64_t>(request.model));
  head.number(contents.size());
  std::string item = std::string(kMagic) + head.bytes() + contents;
  return item + check_sum(item);
}

std::string open_item(std::string_view item, const Request& request) {
  if (!item.starts_with(kMagic)) refuse("it is none");
  if (item.size() < kMagic.size() + sizeof(XXH64_hash_t)) refuse("it is cut off");
  const std::string_view sum = item.substr(item.size() - sizeof(XXH64_hash_t));
  item.remove_suffix(sum.size());
  if (check_sum(item) != sum) refuse("its check sum is wrong: it is damaged or cut off");
  try {
    Reader head(item.substr(kMagic.size()));
    const uint64_t version = head.number();
    if (version != kVersion) refuse("it has version " + std::to_string(version) + ", not " + std::to_string(kVersion));
    if (head.number() != static_cast<uint64_t>(request.algorithm)) refuse("it is for another algorithm");
    if (head.number() != static_cast<uint64_t>(request.model)) refuse("it is for another memory model");
    const uint64_t length = head.number(item.size());
    return std::string(item.substr(item.size() - length));
  } catch (const std::runtime_error& e) {
    if (dynamic_cast<const UserError*>(&e) != nullptr) throw;
    refuse(e.what());
  }
}

}  // namespace heddle
