#include "core/seal.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace heddle {
namespace {

constexpr SealKind kNote = {"this note", "note\n", 7};

std::string unseal_refusal(std::string_view sealed, const SealKind& kind = kNote) {
  try {
    unseal(kind, sealed);
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

TEST(Seal, GivesTheContentsBack) {
  for (const std::string& contents : {std::string(), std::string("x"), std::string(1000, '\0')}) {
    EXPECT_EQ(unseal(kNote, seal(kNote, contents)), contents);
  }
}

TEST(Seal, RefusesWhatIsCutOff) {
  const std::string sealed = seal(kNote, "contents");
  for (std::size_t n = 0; n < sealed.size(); ++n) EXPECT_NE(unseal_refusal(sealed.substr(0, n)), "") << n;
  EXPECT_NE(unseal_refusal(sealed + "x"), "");
}

TEST(Seal, RefusesWhatIsDamaged) {
  const std::string sealed = seal(kNote, "contents");
  for (std::size_t n = 0; n < 8 * sealed.size(); ++n) {
    std::string damaged = sealed;
    damaged[n / 8] ^= static_cast<char>(1u << n % 8);
    EXPECT_TRUE(unseal_refusal(damaged).starts_with("this note cannot be read: ")) << n;
  }
}

TEST(Seal, NamesAnotherVersion) {
  const SealKind newer = {kNote.name, kNote.magic, 8};
  EXPECT_EQ(unseal_refusal(seal(newer, "contents")), "this note cannot be read: it has version 8, not 7");
  EXPECT_EQ(unseal_refusal("letter\n"), "this note cannot be read: it is no note");
}

}  // namespace
}  // namespace heddle
