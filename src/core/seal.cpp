#include "core/seal.hpp"

#include <xxhash.h>

#include "core/assert.hpp"
#include "core/bytes.hpp"
#include "core/error.hpp"

namespace heddle {
namespace {

std::string check_sum(std::string_view bytes) {
  XXH64_canonical_t sum;
  XXH64_canonicalFromHash(&sum, XXH3_64bits(bytes.data(), bytes.size()));
  return {reinterpret_cast<const char*>(sum.digest), sizeof sum.digest};
}

}  // namespace

void refuse_sealed(const SealKind& kind, const std::string& why) {
  throw UserError(std::string(kind.name) + " cannot be read: " + why);
}

std::string seal(const SealKind& kind, std::string_view contents) {
  ByteWriter head;
  head.number(kind.version);
  head.number(contents.size());
  std::string sealed = std::string(kind.magic) + head.bytes() + std::string(contents);
  sealed += check_sum(sealed);
  HEDDLE_ASSERT(unseal(kind, sealed) == contents);
  return sealed;
}

std::string unseal(const SealKind& kind, std::string_view sealed) {
  constexpr std::size_t kSum = sizeof(XXH64_canonical_t);
  if (!sealed.starts_with(kind.magic))
    refuse_sealed(kind, "it is no " + std::string(kind.magic.substr(0, kind.magic.find('\n'))));
  if (sealed.size() < kind.magic.size() + kSum) refuse_sealed(kind, "it is cut off");
  const std::string_view sum = sealed.substr(sealed.size() - kSum);
  sealed.remove_suffix(kSum);
  if (check_sum(sealed) != sum) refuse_sealed(kind, "its check sum is wrong: it is damaged or cut off");
  sealed.remove_prefix(kind.magic.size());
  try {
    ByteReader head(sealed);
    const uint64_t version = head.number();
    if (version != kind.version) {
      refuse_sealed(kind, "it has version " + std::to_string(version) + ", not " + std::to_string(kind.version));
    }
    if (head.number() != head.rest().size()) refuse_sealed(kind, "its length is wrong");
    return std::string(head.rest());
  } catch (const UserError&) {
    throw;
  } catch (const std::runtime_error& e) {
    refuse_sealed(kind, e.what());
  }
}

}  // namespace heddle
