#include "image/region.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace heddle::region {
namespace {

TEST(ImageRegion, IsHandedOutInPagesFromAFixedPlace) {
  auto* const first = static_cast<char*>(map_image(1));
  auto* const second = static_cast<char*>(map_image(5000));
  EXPECT_EQ(reinterpret_cast<Address>(first), kBase + kPage);
  EXPECT_EQ(second, first + kPage);
  EXPECT_EQ(image_start(), kBase + kPage);
  EXPECT_EQ(image_end(), kBase + 4 * kPage);
  EXPECT_TRUE(in_image(image_end()));
  EXPECT_FALSE(in_image(kBase + kImageSize));
  EXPECT_EQ(second[4999], 0);
  EXPECT_THROW(map_image(kImageSize), UserError);
  unmap_image();
  EXPECT_EQ(map_image(1), first);
  unmap_image();
}

}  // namespace
}  // namespace heddle::region
