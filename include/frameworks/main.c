/* The main function of a test file that has none of its own. */
int heddle_test_main(void) __attribute__((weak)); /* heddle/test.hpp; null if no file includes a test framework */

__attribute__((weak)) int main(void) { return heddle_test_main ? heddle_test_main() : 0; }
