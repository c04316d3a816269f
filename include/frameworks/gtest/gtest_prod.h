// Lets a test see what is private in a class of the program.
#pragma once
#define FRIEND_TEST(suite, name) friend class suite##_##name##_Test
