// Scripts as text: for litmus tests, for the reports of the fuzzer, and to paste one into the other.
//
//   {x=1}                              initial values other than 0
//   main: create 1; create 2; join 1; join 2; r0 = x rlx
//   || x = 1 rel; r0 = y acq           thread 1
//   || y = r0+1 sc; fence sc           thread 2
//
// Without `main:` main creates all threads and joins them. r0 … r15 are registers; what is locked is a mutex; any other
// name is a location. White space is free. The instructions:
//
//   x = V MODE                         store; V is 3, r1 or r1+3
//   r0 = x MODE                        load
//   r0 = add x V MODE                  rmw: xchg add sub and nand or xor max min umax umin
//   add x V MODE                       an rmw whose result nobody uses
//   r0 = cas x V V MODE FAIL           compare and swap; the first V is what is expected
//   … until == C   … until != C        the load or rmw waits for this value
//   … until                            the cas waits for the expected value
//   … assuming == C   … assuming       the same, but whoever waits for ever is stopped on purpose
//   fence MODE    lock m    r0 = trylock m    unlock m    create T    join T    r0 = choose N
//   mark x V V MODE FAIL               the cas that follows, with these operands, may be helped with
//   help x V V MODE FAIL               such help
//   r0 = set add V V                   sub mul div mod and or xor shl shr eq ne lt le
//   if r0 == C skip N    assume r0 == C    assert r0 == C          (or !=)
#pragma once

#include <string>
#include <string_view>

#include "machine/script/script.hpp"

namespace heddle {

// Throws UserError with the reason and the place.
Script parse_script(std::string_view text);

std::string print_script(const Script&);
std::string print_instruction(const Script&, const Instruction&);

}  // namespace heddle
