// What rooms do, each by itself.
#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

int idle() { return 0; }

// The functions of a room, called from outside as if the thread ran.
class As {
 public:
  explicit As(ThreadId t) { rt.current = &thread(t); }
  ~As() { rt.current = nullptr; }
  As(const As&) = delete;
  As& operator=(const As&) = delete;

 private:
  HostScope scope_;
};

TEST(Rooms, HazardPointers) {
  Image i = image(idle);
  i.uses.hazard_pointers = true;
  World w(std::move(i), {});
  const As main(kMain);
  const Address hp = address(heap::allocate(8, 8, BlockKind::hazard, true));
  const Address node = address(heap::allocate(16, 16, BlockKind::malloc, true));
  globals().pointers[0] = pointer(node);
  EXPECT_EQ(hazards::protect(hp, address(&globals().pointers[0])), node);
  EXPECT_TRUE(hazards::guards(thread(kMain), node + 4));
  hazards::clear(hp);
  EXPECT_FALSE(hazards::guards(thread(kMain), node + 4));
  EXPECT_EQ(hazards::protect(hp, address(&globals().pointers[0])), node);
  hazards::reset();
  EXPECT_FALSE(hazards::guards(thread(kMain), node));
}

TEST(Rooms, Exits) {
  World w(idle);
  const As main(kMain);
  uint32_t key = 0;
  uint32_t next = 0;
  EXPECT_TRUE(exits::create_key(&key, nullptr));
  EXPECT_TRUE(exits::set_value(key, pointer(1)));
  EXPECT_EQ(exits::value(key), pointer(1));
  EXPECT_TRUE(exits::create_key(&next, nullptr));
  EXPECT_NE(next, key);
  EXPECT_TRUE(exits::delete_key(key));
  EXPECT_FALSE(exits::delete_key(key));
  EXPECT_FALSE(exits::set_value(key, pointer(3)));
  EXPECT_EQ(exits::value(key), nullptr);
}

}  // namespace
}  // namespace heddle::test
