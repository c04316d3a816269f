#include "image/entry_points.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>

namespace heddle::abi {
namespace {

static_assert(std::is_same_v<Signature<Entry::load>, uint64_t(void*, int, int, uint32_t)>);
static_assert(std::is_same_v<Signature<Entry::tls>, void*()>);
static_assert(row(Entry::trap).attributes == attribute::kNoReturn);

TEST(EntryPoints, EachHasItsSymbolAndIsBoundOnce) {
  std::set<std::string> names;
  std::set<void*> addresses;
  for (const Binding& b : bindings()) {
    EXPECT_TRUE(names.insert(b.symbol).second) << b.symbol;
    EXPECT_TRUE(addresses.insert(b.address).second) << b.symbol;
  }
  for (const EntryPoint& e : kEntryPoints) EXPECT_TRUE(names.contains(e.symbol)) << e.symbol;
  EXPECT_EQ(names.size(), std::size(kEntryPoints) + 1);  // and the fuel
  EXPECT_STREQ(row(Entry::load).symbol, "__heddle_load");
  EXPECT_STREQ(row(Entry::out_of_bounds).symbol, "__heddle_out_of_bounds");
}

}  // namespace
}  // namespace heddle::abi
