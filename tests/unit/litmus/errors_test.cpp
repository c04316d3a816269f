// Every mistake is told with its place and what to do about it.
#include <gtest/gtest.h>

#include "unit/litmus/support.hpp"

namespace heddle::litmus {
namespace {

struct Mistake {
  std::string text;
  std::string message;  // after "t.litmus:"
};

TEST(LitmusErrors, OfCode) {
  const Mistake mistakes[] = {
      {"int r0 = ;", "4:10: unexpected ';'; write an expression"},
      {"int r0 = 1", "5:1: unexpected '}'; write ';' after the statement"},
      {"int r0 = 1; int r0;", "4:17: 'r0' is declared twice; remove one"},
      {"int r0; { int r0; }", "4:15: 'r0' is declared in an outer block already; use another name"},
      {"int x;", "4:5: 'x' is a parameter of P0; use another name"},
      {"{ int r0 = 1; } r0 = 2;", "4:17: 'r0' is not declared in P0; declare it with int, or make it a parameter"},
      {"r0 = 1;", "4:1: 'r0' is not declared in P0; declare it with int, or make it a parameter"},
      {"int r0 = x;", "4:10: 'x' is a pointer; write * before it, or use an atomic_ function"},
      {"x = 1;", "4:1: 'x' is a pointer; write * before it, or use an atomic_ function"},
      {"int r0 = *z;", "4:11: 'z' is not a parameter of P0; add it there, as atomic_int* or int*"},
      {"int r0 = *r0;", "4:11: 'r0' is a local variable; use a parameter of P0 here"},
      {"for (;;) {}", "4:1: loops are not supported; use `heddle check` with a C program"},
      {"while (1) {}", "4:1: loops are not supported; use `heddle check` with a C program"},
      {"do {} while (1);", "4:1: loops are not supported; use `heddle check` with a C program"},
      {"return;", "4:1: 'return' is not supported here; use if and else, or use `heddle check` with a C program"},
      {"goto end;", "4:1: 'goto' is not supported here; use if and else, or use `heddle check` with a C program"},
      {"unsigned r0 = 1;", "4:1: the type 'unsigned' is not supported here; local variables are int or long"},
      {"atomic_int r0;", "4:1: the type 'atomic_int' is not supported here; local variables are int or long"},
      {"int *p;", "4:5: local pointers are not supported; use `heddle check` with a C program"},
      {"int a[2];", "4:6: arrays are not supported; use `heddle check` with a C program"},
      {"int a = x[0];", "4:9: 'x' is a pointer; write * before it, or use an atomic_ function"},
      {"int f(void) { }", "4:6: functions are not supported; use `heddle check` with a C program"},
      {"int r0 = (int)1;", "4:11: casts are not supported; all values have 64 bits, leave it out"},
      {"int r0 = &x;", "4:10: addresses are not supported; only a compare-exchange takes one, of a local variable"},
      {"int r0; r0++;", "4:11: '++' is not supported here; write an assignment such as r0 = r0 + 1 or *x = 1"},
      {"int r0; ++r0;", "4:9: '++' is not supported; write r0 = r0 + 1"},
      {"int r0; r0 += 1;", "4:12: '+=' is not supported here; write an assignment such as r0 = r0 + 1 or *x = 1"},
      {"int r0; int r1 = r0 = 1;",
       "4:21: an assignment inside an expression is not supported; make it a statement of its own"},
      {"int r0; if (r0 = 1) {}",
       "4:16: an assignment inside an expression is not supported; make it a statement of its own"},
      {"int r0 = atomic_load(z);", "4:22: 'z' is not a parameter of P0; add it there, as atomic_int* or int*"},
      {"int r0 = atomic_load(*x);", "4:22: unexpected '*'; write a parameter of P0"},
      {"int r0 = atomic_load(x, memory_order_relaxed);",
       "4:23: unexpected ','; only the functions that end in _explicit take a memory order"},
      {"int r0 = atomic_load_explicit(x);", "4:32: unexpected ')'; write ',' before the next argument"},
      {"int r0 = atomic_load_explicit(x, memory_order_release);",
       "4:34: a load cannot have memory_order_release; use relaxed, acquire or seq_cst"},
      {"int r0 = atomic_load_explicit(x, relaxed);",
       "4:34: unexpected 'relaxed'; write a memory order, such as memory_order_seq_cst"},
      {"atomic_store_explicit(x, 1, memory_order_acquire);",
       "4:29: a store cannot have memory_order_acquire; use relaxed, release or seq_cst"},
      {"atomic_store_explicit(x, 1, memory_order_acq_rel);",
       "4:29: a store cannot have memory_order_acq_rel; use relaxed, release or seq_cst"},
      {"int r0 = atomic_store(x, 1);", "4:10: a store has no value; make it a statement of its own"},
      {"int r0 = 1 + atomic_thread_fence(memory_order_acquire);",
       "4:14: a fence has no value; make it a statement of its own"},
      {"atomic_compare_exchange_strong(x, y, 1);",
       "4:35: the expected value must be a local variable, given as &r0; copy it into one"},
      {"atomic_compare_exchange_strong(x, &y, 1);",
       "4:35: the expected value must be a local variable, given as &r0; copy it into one"},
      {"atomic_compare_exchange_strong(x, &r0, 1);",
       "4:36: 'r0' is not declared in P0; declare it with int, or make it a parameter"},
      {"int r0; atomic_compare_exchange_strong_explicit(x, &r0, 1, memory_order_relaxed, memory_order_release);",
       "4:82: a failed compare-exchange cannot have memory_order_release; use relaxed, acquire or seq_cst"},
      {"READ_ONCE(*x);",
       "4:1: the function 'READ_ONCE' is not known here; use the atomic_ functions of C, or use `heddle check` with a "
       "C program"},
      {"int r0 = 1 / 0;", "4:12: division by zero; mend the divisor"},
      {"int r0 = 5 % (2 - 2);", "4:12: division by zero; mend the divisor"},
      {"int r0 = 1u;", "4:10: this is not a number; write it decimal or as 0x…, without a suffix"},
      {"int r0 = 010;", "4:10: a number with a leading 0 is octal in C and decimal elsewhere; write it without"},
      {"int r0 = 99999999999999999999;", "4:10: the number is too large; values have 64 bits and a sign"},
      {"int r0 = 9223372036854775808;", "4:10: the number is too large; values have 64 bits and a sign"},
      {"int r0 = 1 ? 2;", "4:15: unexpected ';'; write ':' after the second part of ?:"},
      {"int r0 = (1;", "4:12: unexpected ';'; write ')' after the expression"},
      {"int r0 = 1 +;", "4:13: unexpected ';'; write an expression"},
      {"if 1 {}", "4:4: unexpected '1'; write '(' after if"},
      {"if (1) } ", "4:8: unexpected '}'; write an expression"},
      {"else {}", "4:1: 'else' is not supported here; use if and else, or use `heddle check` with a C program"},
      {"int r0 = 1 # 2;", "4:12: unexpected '#'; remove it"},
      {"(* x) = 1;", "4:1: the comment has no end; close it with *), or write (*x) without a space for a dereference"},
      {"*x = (* y);", "4:6: the comment has no end; close it with *), or write (*x) without a space for a dereference"},
      {"int r0 = \"a\";", "4:10: unexpected '\"'; remove it"},
      {"/* no end", "4:1: the comment has no end; close it with */"},
      {"*x++;", "4:3: '++' is not supported here; write an assignment such as r0 = r0 + 1 or *x = 1"},
      {"int r0 = 1, int r1;", "4:13: 'int' is a type; write a name"},
  };
  for (const Mistake& m : mistakes) EXPECT_EQ(error_of(one_thread(m.text)), "t.litmus:" + m.message) << m.text;
}

TEST(LitmusErrors, OfTheFrame) {
  const Mistake mistakes[] = {
      {"", "1:1: a C litmus test starts with `C NAME`; tests in assembly are not supported"},
      {"X86 SB\n{}", "1:1: a C litmus test starts with `C NAME`; tests in assembly are not supported"},
      {"C", "1:2: the name of the test is missing; start the file with `C NAME`"},
      {"C \n{}", "1:3: the name of the test is missing; start the file with `C NAME`"},
      {"C t", "1:4: unexpected end of the file; write '{' to open the init block"},
      {"C t\n{", "2:2: unexpected end of the file; write a location, or a register such as 0:r0, in the init block"},
      {"C t\n{}",
       "2:3: unexpected end of the file; write a condition with exists, ~exists or forall (`exists true` only lists "
       "the states)"},
      {"C t\n{ x }\nexists (x=0) y", "3:14: unexpected 'y'; nothing may follow the condition"},
      {"C t\n{ x=1; x=2; }", "2:8: 'x' is initialised twice; remove one"},
      {"C t\n{ x=y; }",
       "2:5: unexpected 'y'; write a number; for addresses as values, use `heddle check` with a C program"},
      {"C t\n{ x=&y; }",
       "2:5: unexpected '&'; write a number; for addresses as values, use `heddle check` with a C program"},
      {"C t\n{ int* x; }", "2:8: pointers in the init block are not supported; use `heddle check` with a C program"},
      {"C t\n{ int x[2]; }", "2:8: arrays are not supported; use `heddle check` with a C program"},
      {"C t\n{ 1:r0=1; }\nP0 () {}\nexists true", "2:3: there is no P1; remove this register"},
      {"C t\n{ 0:=1; }", "2:5: unexpected '='; write a location, or a register such as 0:r0, in the init block"},
      {"C t\n{ x 1 }", "2:5: unexpected '1'; write '=' or ';' after 'x'"},
      {"C t\n{}\nP1 () {}",
       "3:1: unexpected 'P1'; write P0 or a condition; for functions and global variables, use `heddle check` with a C "
       "program"},
      {"C t\n{}\nP0 () {", "3:8: unexpected end of the file; write '}' after the code of P0"},
      {"C t\n{}\nP0 () {}\nP0 () {}",
       "4:1: unexpected 'P0'; write P1 or a condition; for functions and global variables, use `heddle check` with a C "
       "program"},
      {"C t\n{}\nint f() {}",
       "3:1: unexpected 'int'; write P0 or a condition; for functions and global variables, use `heddle check` with a "
       "C program"},
      {"C t\n{}\nP0 (x) {}",
       "3:5: unexpected 'x'; write a parameter such as `atomic_int* x`, of type int or long or atomic"},
      {"C t\n{}\nP0 (int x) {}", "3:9: a parameter must be a pointer to a location; write `int* x` or `atomic_int* x`"},
      {"C t\n{}\nP0 (int** x) {}", "3:11: pointers to pointers are not supported; use `heddle check` with a C program"},
      {"C t\n{}\nP0 (int* x, int* x) {}", "3:18: 'x' is a parameter twice; remove one"},
      {"C t\n{}\nP0 (unsigned* x) {}",
       "3:5: unexpected 'unsigned'; write a parameter such as `atomic_int* x`, of type int or long or atomic"},
      {"C t\n{}\nP0 (unsigned int* x) {}",
       "3:5: unexpected 'unsigned'; write a parameter such as `atomic_int* x`, of type int or long or atomic"},
      {"C t\n{}\nP0 (int unsigned* x) {}",
       "3:9: a parameter must be a pointer to a location; write `int* x` or `atomic_int* x`"},
      {"C t\n{}\nP0 (int* x[2]) {}", "3:11: arrays are not supported; use `heddle check` with a C program"},
      {"C t\n{}\nP0 (int* x {}", "3:12: unexpected '{'; write ')' after the parameters of P0"},
      {"C t\n{}\nP0 (int* x) x=1;", "3:13: unexpected 'x'; write '{' to open the code of P0"},
      {"C t\n{}\nP0 (int* x) {}\nexists (y=1)",
       "4:9: there is no location 'y'; name a parameter, or a register with its thread, as 0:r0"},
      {"C t\n{}\nP0 (int* x) {}\nexists (0:r0=1)",
       "4:9: P0 has no local variable 'r0'; declare it there, or correct the name"},
      {"C t\n{}\nP0 (int* x) {}\nexists (1:r0=1)", "4:9: there is no P1; use the number of a thread"},
      {"C t\n{}\nP0 (int* x) {}\nexists (x=y)", "4:11: unexpected 'y'; write a number in the condition"},
      {"C t\n{}\nP0 (int* x) {}\nexists (x)", "4:10: unexpected ')'; write '=' in the condition"},
      {"C t\n{}\nP0 (int* x) {}\nexists (x=1", "4:12: unexpected end of the file; write ')' in the condition"},
      {"C t\n{}\nP0 (int* x) {}\nexists",
       "4:7: unexpected end of the file; write a location, or a register such as 0:r0, in the condition"},
      {"C t\n{}\nP0 (int* x) {}\nfilter (x=1) exists (x=1)",
       "4:1: filter is not supported; make it a part of the condition"},
      {"C t\n{}\nP0 (int* x) {}\nlocations [x\nexists true",
       "5:1: unexpected 'exists'; write ';' between what is observed"},
      {"C t\n{}\nP0 (int* x) {}\n~forall (x=1)",
       "4:2: unexpected 'forall'; write a condition with exists, ~exists or forall (`exists true` only lists the "
       "states)"},
      {"C t\n{}\nP0 (int* x) {}\nexists (x=1) exists (x=1)",
       "4:14: unexpected 'exists'; nothing may follow the condition"},
      {"C t\n{ 0:x=1 }\nP0 (int* x) {}\nexists (x=1)",
       "3:14: 'x' is a register in the init block and a parameter of P0; rename one"},
      {"C t\n(* no end", "2:1: the comment has no end; close it with *)"},
      {"C t\n\"no end", "2:1: the string has no end; close it with \""},
      {"C t\n{}\nexists (99999:r0=0)", "3:9: there is no such thread; use the numbers of P0, P1, …"},
      {"C t\n{}\nexists (x=1 && y=1)", "3:13: unexpected '&&'; write ')' in the condition"},
      {"C t\n{}\nexists true (* no end", "3:13: the comment has no end; close it with *)"},
  };
  for (const Mistake& m : mistakes) EXPECT_EQ(error_of(m.text), "t.litmus:" + m.message) << m.text;
}

TEST(LitmusErrors, RegistersRunOut) {
  std::string code;
  for (unsigned r = 0; r < kScriptRegisters; ++r) code += "int r" + std::to_string(r) + " = 0;\n";
  EXPECT_EQ(error_of(one_thread(code)), "");
  const std::string why =
      "P0 needs more than 16 values at a time; use fewer local variables or smaller expressions, or use `heddle check` "
      "with a C program";
  EXPECT_EQ(error_of(one_thread(code + "int more;")),
            "t.litmus:20:5: P0 has more than 16 local variables; use fewer, or use `heddle check` with a C program");
  std::string given;
  for (unsigned r = 0; r <= kScriptRegisters; ++r) given += "0:r" + std::to_string(r) + "=1;";
  EXPECT_EQ(error_of(one_thread("", "exists true", given)), "t.litmus:3:1: " + why);
  EXPECT_EQ(error_of(one_thread(code + "  r0 = *x + *y;")), "t.litmus:20:8: " + why);
}

TEST(LitmusErrors, ObservedLocationsRunOut) {
  std::string init;
  std::string observed;
  for (unsigned l = 0; l < kScriptRegisters; ++l) {
    init += "l" + std::to_string(l) + "=0; ";
    observed += "l" + std::to_string(l) + "; ";
  }
  EXPECT_EQ(error_of("C t\n{" + init + "}\nlocations [" + observed + "]\nexists true"), "");
  EXPECT_EQ(error_of("C t\n{" + init + "z=0}\nlocations [" + observed + "]\nexists (z=0)"),
            "t.litmus:4:9: more than 16 locations are observed; leave some out");
}

TEST(LitmusErrors, ThreadsAndLocationsRunOut) {
  std::string threads;
  for (int t = 0; t <= 200; ++t) threads += "P" + std::to_string(t) + " () {}\n";
  EXPECT_EQ(error_of("C t\n{}\n" + threads + "exists true"),
            "t.litmus:203:1: more than 200 threads; use `heddle check` with a C program");
  std::string locations;
  for (int l = 0; l <= 200; ++l) locations += "x" + std::to_string(l) + "=1;\n";
  EXPECT_EQ(error_of("C t\n{\n" + locations + "}\nexists true"),
            "t.litmus:203:1: more than 200 locations; use `heddle check` with a C program");
}

TEST(LitmusErrors, AThreadMayBeTooLong) {
  std::string code;
  for (int i = 0; i <= 10'000; ++i) code += "*x = 1;\n";
  EXPECT_EQ(error_of(one_thread(code)), "t.litmus:10004:1: P0 is too long; use `heddle check` with a C program");
}

}  // namespace
}  // namespace heddle::litmus
