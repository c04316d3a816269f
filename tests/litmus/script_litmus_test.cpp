// The classical litmus tests with their orders and fences varied. The expected sets are the textbook's: each row says
// which outcome the test is about and why it is allowed or not. Sources: the catalogue of Sarkar et al. and Alglave et
// al. for the names and shapes; Lahav et al., "Repairing sequential consistency in C/C++11" (PLDI 2017) for RC11.
#include "litmus/script_litmus.hpp"

#include <gtest/gtest.h>

namespace heddle::script_litmus {
namespace {

// clang-format off

// Store buffering: both threads miss the other's store. Only a global order of the four accesses forbids it.
const Litmus kStoreBuffering[] = {
    {"SB_rlx", "x = 1 rlx; r0 = y rlx || y = 1 rlx; r0 = x rlx", "1:r0 2:r0",
     all_but({"0 0"}), all()},
    {"SB_rel_acq", "x = 1 rel; r0 = y acq || y = 1 rel; r0 = x acq", "1:r0 2:r0",
     all_but({"0 0"}), all()},
    {"SB_sc", "x = 1 sc; r0 = y sc || y = 1 sc; r0 = x sc", "1:r0 2:r0",
     all_but({"0 0"}), all_but({"0 0"})},
    {"SB_sc_stores_only", "x = 1 sc; r0 = y rlx || y = 1 sc; r0 = x rlx", "1:r0 2:r0",
     all_but({"0 0"}), all()},
    {"SB_sc_loads_only", "x = 1 rlx; r0 = y sc || y = 1 rlx; r0 = x sc", "1:r0 2:r0",
     all_but({"0 0"}), all()},
    {"SB_one_thread_sc", "x = 1 sc; r0 = y sc || y = 1 rel; r0 = x acq", "1:r0 2:r0",
     all_but({"0 0"}), all()},
    {"SB_sc_fences", "x = 1 rlx; fence sc; r0 = y rlx || y = 1 rlx; fence sc; r0 = x rlx", "1:r0 2:r0",
     all_but({"0 0"}), all_but({"0 0"})},
    {"SB_one_sc_fence", "x = 1 rlx; fence sc; r0 = y rlx || y = 1 rlx; r0 = x rlx", "1:r0 2:r0",
     all_but({"0 0"}), all()},
    {"SB_acq_rel_fences", "x = 1 rlx; fence acq_rel; r0 = y rlx || y = 1 rlx; fence acq_rel; r0 = x rlx", "1:r0 2:r0",
     all_but({"0 0"}), all()},
    // [Fsc];hb;rb;[Esc] and [Esc];rb;hb;[Fsc]: accesses and fences share one order.
    {"SB_sc_accesses_against_fence", "x = 1 sc; r0 = y sc || y = 1 rlx; fence sc; r0 = x rlx", "1:r0 2:r0",
     all_but({"0 0"}), all_but({"0 0"})},
    // The rmws of z are ordered; the later one acquires what the earlier one released.
    {"SB_rmw_of_one_location", "x = 1 rlx; r1 = add z 0 acq_rel; r0 = y rlx || y = 1 rlx; r1 = add z 0 acq_rel; r0 = x rlx",
     "1:r0 2:r0", all_but({"0 0"}), all_but({"0 0"})},
    {"SB_xchg_acq_rel", "r1 = xchg x 1 acq_rel; r0 = y acq || r1 = xchg y 1 acq_rel; r0 = x acq", "1:r0 2:r0",
     all_but({"0 0"}), all()},
    {"SB_xchg_sc", "r1 = xchg x 1 sc; r0 = y sc || r1 = xchg y 1 sc; r0 = x sc", "1:r0 2:r0",
     all_but({"0 0"}), all_but({"0 0"})},
};

// Message passing: the flag is seen, the data is not. Forbidden where a release meets an acquire.
const Litmus kMessagePassing[] = {
    {"MP_rlx", "x = 1 rlx; y = 1 rlx || r0 = y rlx; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all()},
    {"MP_rel_acq", "x = 1 rlx; y = 1 rel || r0 = y acq; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all_but({"1 0"})},
    {"MP_rel_rlx", "x = 1 rlx; y = 1 rel || r0 = y rlx; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all()},
    {"MP_rlx_acq", "x = 1 rlx; y = 1 rlx || r0 = y acq; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all()},
    {"MP_sc", "x = 1 rlx; y = 1 sc || r0 = y sc; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all_but({"1 0"})},
    {"MP_fences", "x = 1 rlx; fence rel; y = 1 rlx || r0 = y rlx; fence acq; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all_but({"1 0"})},
    {"MP_sc_fences", "x = 1 rlx; fence sc; y = 1 rlx || r0 = y rlx; fence sc; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all_but({"1 0"})},
    {"MP_rel_fence_acq_load", "x = 1 rlx; fence rel; y = 1 rlx || r0 = y acq; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all_but({"1 0"})},
    {"MP_rel_store_acq_fence", "x = 1 rlx; y = 1 rel || r0 = y rlx; fence acq; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all_but({"1 0"})},
    {"MP_wrong_fences", "x = 1 rlx; fence acq; y = 1 rlx || r0 = y rlx; fence rel; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all()},
    // A fence covers only what comes after (release) or before (acquire) it.
    {"MP_fences_too_late", "x = 1 rlx; y = 1 rlx; fence rel || fence acq; r0 = y rlx; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all()},
    {"MP_rmw_flag", "x = 1 rlx; r0 = add y 1 rel || r0 = y acq; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all_but({"1 0"})},
    {"MP_rmw_reader", "x = 1 rlx; y = 1 rel || r0 = cas y 1 2 acq rlx; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all_but({"1 0"})},
    // A failed cas has its own order.
    {"MP_failed_cas_rlx", "x = 1 rlx; y = 1 rel || r0 = cas y 2 3 acq rlx; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all()},
    {"MP_failed_cas_acq", "x = 1 rlx; y = 1 rel || r0 = cas y 2 3 acq acq; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all_but({"1 0"})},
    {"MP_await_acq", "x = 1 rlx; y = 1 rel || r0 = y acq until == 1; r1 = x rlx", "2:r1",
     only({"1"}), only({"1"})},
    {"MP_await_rlx", "x = 1 rlx; y = 1 rlx || r0 = y rlx until != 0; r1 = x rlx", "2:r1",
     only({"1"}), only({"0", "1"})},
    {"MP_lock", "lock m; x = 1 rlx; y = 1 rlx; unlock m || lock m; r0 = y rlx; r1 = x rlx; unlock m", "2:r0 2:r1",
     only({"0 0", "1 1"}), only({"0 0", "1 1"})},
};

// Release sequences: continued by rmws of any thread and any order, and, since C++20, by nothing else.
const Litmus kReleaseSequences[] = {
    // y is 1 also when the add comes first: that 1 is nobody's release.
    {"RelSeq_rmw", "x = 1 rlx; y = 1 rel || r0 = add y 1 rlx || r0 = y acq; r1 = x rlx", "3:r0 3:r1",
     only({"0 0", "0 1", "1 0", "1 1", "2 1"}), only({"0 0", "0 1", "1 0", "1 1", "2 1"})},
    {"RelSeq_two_rmws",
     "x = 1 rlx; y = 1 rel || r0 = cas y 1 2 rlx rlx || r0 = cas y 2 3 rlx rlx || r0 = y acq; r1 = x rlx", "4:r0 4:r1",
     only({"0 0", "0 1", "1 1", "2 1", "3 1"}), only({"0 0", "0 1", "1 1", "2 1", "3 1"})},
    {"RelSeq_fence_then_rmw", "x = 1 rlx; fence rel; y = 1 rlx || r0 = cas y 1 2 rlx rlx || r0 = y rlx; fence acq; r1 = x rlx",
     "3:r0 3:r1", only({"0 0", "0 1", "1 1", "2 1"}), only({"0 0", "0 1", "1 1", "2 1"})},
    {"RelSeq_same_thread_store", "x = 1 rlx; y = 1 rel; y = 2 rlx || r0 = y acq; r1 = x rlx", "2:r0 2:r1",
     only({"0 0", "0 1", "1 1", "2 1"}), only({"0 0", "0 1", "1 1", "2 0", "2 1"})},
    // An xchg keeps the sequence although it forgets the value.
    {"RelSeq_xchg", "x = 1 rlx; y = 1 rel || r0 = xchg y 2 rlx; assume r0 == 1 || r0 = y acq; r1 = x rlx", "3:r0 3:r1",
     only({"0 0", "0 1", "1 1", "2 1"}), only({"0 0", "0 1", "1 1", "2 1"})},
    {"RelSeq_store_breaks_it", "x = 1 rlx; y = 1 rel || r0 = y rlx; assume r0 == 1; y = 2 rlx || r0 = y acq; r1 = x rlx",
     "3:r0 3:r1", only({"0 0", "0 1", "1 1", "2 1"}), only({"0 0", "0 1", "1 1", "2 0", "2 1"})},
};

// Load buffering: each load sees the other thread's later store. RC11 forbids po ∪ rf cycles.
const Litmus kLoadBuffering[] = {
    {"LB_rlx", "r0 = x rlx; y = 1 rlx || r0 = y rlx; x = 1 rlx", "1:r0 2:r0",
     all_but({"1 1"}), all_but({"1 1"})},
    {"LB_acq_rel", "r0 = x acq; y = 1 rel || r0 = y acq; x = 1 rel", "1:r0 2:r0",
     all_but({"1 1"}), all_but({"1 1"})},
    {"LB_out_of_thin_air", "r0 = x rlx; y = r0 rlx || r0 = y rlx; x = r0 rlx", "1:r0 2:r0",
     only({"0 0"}), only({"0 0"})},
    {"LB_branch", "r0 = x rlx; if r0 == 0 skip 1; y = 1 rlx || r0 = y rlx; x = 1 rlx", "1:r0 2:r0",
     only({"0 0", "1 0"}), only({"0 0", "1 0"})},
};

// Coherence: one location behaves as if sequentially consistent, whatever the modes.
const Litmus kCoherence[] = {
    {"CoRR", "x = 1 rlx || r0 = x rlx; r1 = x rlx", "2:r0 2:r1",
     all_but({"1 0"}), all_but({"1 0"})},
    {"CoRR_two_stores", "x = 1 rlx; x = 2 rlx || r0 = x rlx; r1 = x rlx", "2:r0 2:r1",
     only({"0 0", "0 1", "0 2", "1 1", "1 2", "2 2"}), only({"0 0", "0 1", "0 2", "1 1", "1 2", "2 2"})},
    // One reader has seen 1, then 2: nobody sees 2, then 1.
    {"CoRR_two_readers",
     "x = 1 rlx || x = 2 rlx || r0 = x rlx; assume r0 == 1; r1 = x rlx; assume r1 == 2 || r0 = x rlx; r1 = x rlx", "4:r0 4:r1",
     only({"0 0", "0 1", "0 2", "1 1", "1 2", "2 2"}), only({"0 0", "0 1", "0 2", "1 1", "1 2", "2 2"})},
    {"CoWW", "x = 1 rlx; x = 2 rlx", "x", only({"2"}), only({"2"})},
    {"CoWR", "x = 1 rlx; r0 = x rlx || x = 2 rlx", "1:r0 x",
     only({"1 1", "1 2", "2 2"}), only({"1 1", "1 2", "2 2"})},
    {"CoRW1", "r0 = x rlx; x = 1 rlx", "1:r0 x", only({"0 1"}), only({"0 1"})},
    {"CoRW2", "r0 = x rlx; x = 1 rlx || x = 2 rlx", "1:r0 x",
     only({"0 1", "0 2", "2 1"}), only({"0 1", "0 2", "2 1"})},
    // Coherence across threads follows happens-before: the store hb the later one.
    {"CoWW_across_threads", "x = 1 rlx; y = 1 rel || r0 = y acq; assume r0 == 1; x = 2 rlx", "x", only({"2"}), only({"2"})},
    {"CoWW_across_threads_rlx", "x = 1 rlx; y = 1 rlx || r0 = y rlx; assume r0 == 1; x = 2 rlx", "x",
     only({"2"}), only({"1", "2"})},
};

// Four threads and two writers: do the readers agree on the order of the stores?
const Litmus kIriw[] = {
    {"IRIW_rlx", "x = 1 rlx || y = 1 rlx || r0 = x rlx; r1 = y rlx || r0 = y rlx; r1 = x rlx", "3:r0 3:r1 4:r0 4:r1",
     all_but({"1 0 1 0"}), all()},
    {"IRIW_rel_acq", "x = 1 rel || y = 1 rel || r0 = x acq; r1 = y acq || r0 = y acq; r1 = x acq", "3:r0 3:r1 4:r0 4:r1",
     all_but({"1 0 1 0"}), all()},
    {"IRIW_sc", "x = 1 sc || y = 1 sc || r0 = x sc; r1 = y sc || r0 = y sc; r1 = x sc", "3:r0 3:r1 4:r0 4:r1",
     all_but({"1 0 1 0"}), all_but({"1 0 1 0"})},
    {"IRIW_sc_stores_only", "x = 1 sc || y = 1 sc || r0 = x acq; r1 = y acq || r0 = y acq; r1 = x acq", "3:r0 3:r1 4:r0 4:r1",
     all_but({"1 0 1 0"}), all()},
    {"IRIW_sc_loads_only", "x = 1 rel || y = 1 rel || r0 = x sc; r1 = y sc || r0 = y sc; r1 = x sc", "3:r0 3:r1 4:r0 4:r1",
     all_but({"1 0 1 0"}), all()},
    // [Fsc];hb;rb;rf;hb;[Fsc] both ways.
    {"IRIW_sc_fences", "x = 1 rlx || y = 1 rlx || r0 = x rlx; fence sc; r1 = y rlx || r0 = y rlx; fence sc; r1 = x rlx",
     "3:r0 3:r1 4:r0 4:r1", all_but({"1 0 1 0"}), all_but({"1 0 1 0"})},
};

// Final values: co against po.
const Litmus kWrites[] = {
    {"2+2W_rlx", "x = 1 rlx; y = 2 rlx || y = 1 rlx; x = 2 rlx", "x y",
     only({"1 2", "2 1", "2 2"}), only({"1 1", "1 2", "2 1", "2 2"})},
    {"2+2W_rel", "x = 1 rel; y = 2 rel || y = 1 rel; x = 2 rel", "x y",
     only({"1 2", "2 1", "2 2"}), only({"1 1", "1 2", "2 1", "2 2"})},
    {"2+2W_sc", "x = 1 sc; y = 2 sc || y = 1 sc; x = 2 sc", "x y",
     only({"1 2", "2 1", "2 2"}), only({"1 2", "2 1", "2 2"})},
    {"2+2W_sc_fences", "x = 1 rlx; fence sc; y = 2 rlx || y = 1 rlx; fence sc; x = 2 rlx", "x y",
     only({"1 2", "2 1", "2 2"}), only({"1 2", "2 1", "2 2"})},
    {"R_rlx", "x = 1 rlx; y = 1 rlx || y = 2 rlx; r0 = x rlx", "y 2:r0",
     only({"1 0", "1 1", "2 1"}), only({"1 0", "1 1", "2 0", "2 1"})},
    {"R_rel_acq", "x = 1 rlx; y = 1 rel || y = 2 rel; r0 = x acq", "y 2:r0",
     only({"1 0", "1 1", "2 1"}), only({"1 0", "1 1", "2 0", "2 1"})},
    {"R_sc", "x = 1 sc; y = 1 sc || y = 2 sc; r0 = x sc", "y 2:r0",
     only({"1 0", "1 1", "2 1"}), only({"1 0", "1 1", "2 1"})},
    {"R_sc_fences", "x = 1 rlx; fence sc; y = 1 rlx || y = 2 rlx; fence sc; r0 = x rlx", "y 2:r0",
     only({"1 0", "1 1", "2 1"}), only({"1 0", "1 1", "2 1"})},
    {"S_rlx", "x = 2 rlx; y = 1 rlx || r0 = y rlx; x = 1 rlx", "2:r0 x",
     only({"0 1", "0 2", "1 1"}), only({"0 1", "0 2", "1 1", "1 2"})},
    {"S_rel_acq", "x = 2 rlx; y = 1 rel || r0 = y acq; x = 1 rlx", "2:r0 x",
     only({"0 1", "0 2", "1 1"}), only({"0 1", "0 2", "1 1"})},
    {"S_fences", "x = 2 rlx; fence rel; y = 1 rlx || r0 = y rlx; fence acq; x = 1 rlx", "2:r0 x",
     only({"0 1", "0 2", "1 1"}), only({"0 1", "0 2", "1 1"})},
};

// Causality through three threads.
const Litmus kCausality[] = {
    {"WRC_rlx", "x = 1 rlx || r0 = x rlx; y = 1 rlx || r0 = y rlx; r1 = x rlx", "2:r0 3:r0 3:r1",
     all_but({"1 1 0"}), all()},
    {"WRC_rel_acq", "x = 1 rel || r0 = x acq; y = 1 rel || r0 = y acq; r1 = x acq", "2:r0 3:r0 3:r1",
     all_but({"1 1 0"}), all_but({"1 1 0"})},
    // The first message need not synchronise: the load of x happens before the other load of x (read-read coherence).
    {"WRC_y_rel_acq", "x = 1 rlx || r0 = x rlx; y = 1 rel || r0 = y acq; r1 = x rlx", "2:r0 3:r0 3:r1",
     all_but({"1 1 0"}), all_but({"1 1 0"})},
    {"WRC_x_rel_acq", "x = 1 rel || r0 = x acq; y = 1 rlx || r0 = y rlx; r1 = x acq", "2:r0 3:r0 3:r1",
     all_but({"1 1 0"}), all()},
    {"ISA2_rlx", "x = 1 rlx; y = 1 rlx || r0 = y rlx; z = 1 rlx || r0 = z rlx; r1 = x rlx", "2:r0 3:r0 3:r1",
     all_but({"1 1 0"}), all()},
    {"ISA2_rel_acq", "x = 1 rlx; y = 1 rel || r0 = y acq; z = 1 rel || r0 = z acq; r1 = x rlx", "2:r0 3:r0 3:r1",
     all_but({"1 1 0"}), all_but({"1 1 0"})},
    {"ISA2_broken", "x = 1 rlx; y = 1 rel || r0 = y rlx; z = 1 rel || r0 = z acq; r1 = x rlx", "2:r0 3:r0 3:r1",
     all_but({"1 1 0"}), all()},
    {"RWC_rlx", "x = 1 rlx || r0 = x rlx; r1 = y rlx || y = 1 rlx; r0 = x rlx", "2:r0 2:r1 3:r0",
     all_but({"1 0 0"}), all()},
    {"RWC_rel_acq", "x = 1 rel || r0 = x acq; r1 = y acq || y = 1 rel; r0 = x acq", "2:r0 2:r1 3:r0",
     all_but({"1 0 0"}), all()},
    {"RWC_sc", "x = 1 sc || r0 = x sc; r1 = y sc || y = 1 sc; r0 = x sc", "2:r0 2:r1 3:r0",
     all_but({"1 0 0"}), all_but({"1 0 0"})},
    // RC11 strengthens C11 here: rb;rf between the fences counts.
    {"RWC_sc_fences", "x = 1 rlx || r0 = x rlx; fence sc; r1 = y rlx || y = 1 rlx; fence sc; r0 = x rlx", "2:r0 2:r1 3:r0",
     all_but({"1 0 0"}), all_but({"1 0 0"})},
    {"W+RWC_rlx", "x = 1 rlx; y = 1 rlx || r0 = y rlx; r1 = z rlx || z = 1 rlx; r0 = x rlx", "2:r0 2:r1 3:r0",
     all_but({"1 0 0"}), all()},
    {"W+RWC_rel_acq", "x = 1 rlx; y = 1 rel || r0 = y acq; r1 = z acq || z = 1 rel; r0 = x acq", "2:r0 2:r1 3:r0",
     all_but({"1 0 0"}), all()},
    {"W+RWC_rel_acq_sc_fences",
     "x = 1 rlx; y = 1 rel || r0 = y acq; fence sc; r1 = z rlx || z = 1 rlx; fence sc; r0 = x rlx", "2:r0 2:r1 3:r0",
     all_but({"1 0 0"}), all_but({"1 0 0"})},
    // sb|≠loc;hb;sb|≠loc from the store of x to the load of z.
    {"W+RWC_rel_acq_in_sc", "x = 1 sc; y = 1 rel || r0 = y acq; r1 = z sc || z = 1 sc; r0 = x sc", "2:r0 2:r1 3:r0",
     all_but({"1 0 0"}), all_but({"1 0 0"})},
};

// What RC11 is about: happens-before alone does not order SC accesses.
const Litmus kRc11[] = {
    // Z6.U of the RC11 paper: sw from y =rel 1 to the SC rmw is no SC edge from x =sc 1, so the load may miss it.
    {"Z6.U", "x = 1 sc; y = 1 rel || r0 = add y 1 sc; assume r0 == 1; r1 = y rlx; assume r1 == 3 || y = 3 sc; r0 = x sc",
     "3:r0", only({"1"}), only({"0", "1"})},
    // The path from x =sc 1 leaves by an access of x, so it is no SC edge to the load of y; see models/axioms/rc11.cpp.
    {"SC_path_by_same_location", "x = 1 sc; x = 2 rel || r0 = x acq; assume r0 == 2; r1 = y sc || y = 1 sc; r0 = x sc",
     "2:r1 3:r0", only({"0 2", "1 0", "1 1", "1 2"}), only({"0 0", "0 1", "0 2", "1 0", "1 1", "1 2"})},
    {"SC_path_by_other_location", "x = 1 sc; z = 1 rel || r0 = z acq; assume r0 == 1; r1 = y sc || y = 1 sc; r0 = x sc",
     "2:r1 3:r0", only({"0 1", "1 0", "1 1"}), only({"0 1", "1 0", "1 1"})},
};

// Read-modify-writes are atomic.
const Litmus kRmw[] = {
    {"FAIS", "r0 = add x 1 rlx || r0 = add x 1 rlx", "1:r0 2:r0 x",
     only({"0 1 2", "1 0 2"}), only({"0 1 2", "1 0 2"})},
    {"FAI_and_store", "r0 = add x 1 rlx || x = 5 rlx", "1:r0 x",
     only({"0 5", "5 6"}), only({"0 5", "5 6"})},
    {"CAS_and_CAS", "r0 = cas x 0 1 rlx rlx || r0 = cas x 0 2 rlx rlx", "1:r0 2:r0 x",
     only({"0 1 1", "2 0 2"}), only({"0 1 1", "2 0 2"})},
    {"xchg_and_xchg", "r0 = xchg x 1 rlx || r0 = xchg x 2 rlx", "1:r0 2:r0 x",
     only({"0 1 2", "2 0 1"}), only({"0 1 2", "2 0 1"})},
    {"load_store_is_no_rmw", "r0 = x rlx; x = r0+1 rlx || r0 = x rlx; x = r0+1 rlx", "x",
     only({"1", "2"}), only({"1", "2"})},
    {"bit_operations", "r0 = or x 1 rlx || r0 = and x 6 rlx || r0 = xor x 2 rlx", "x",
     // 0 to begin with: the xor sets bit 1 whenever it comes; bit 0 stays unless the and comes after the or.
     only({"2", "3"}), only({"2", "3"})},
    {"trylock", "r0 = trylock m || r0 = trylock m", "1:r0 2:r0",
     only({"0 1", "1 0"}), only({"0 1", "1 0"})},
    {"lock_increment", "lock m; r0 = x rlx; x = r0+1 rlx; unlock m || lock m; r0 = x rlx; x = r0+1 rlx; unlock m", "x",
     only({"2"}), only({"2"})},
    {"spinlock_by_await_xchg",
     "r0 = xchg l 1 acq until == 0; r1 = x rlx; x = r1+1 rlx; l = 0 rel || "
     "r0 = xchg l 1 acq until == 0; r1 = x rlx; x = r1+1 rlx; l = 0 rel", "x",
     only({"2"}), only({"2"})},
    {"spinlock_by_await_cas_rlx",
     "r0 = cas l 0 1 rlx rlx until; r1 = x rlx; x = r1+1 rlx; l = 0 rlx || "
     "r0 = cas l 0 1 rlx rlx until; r1 = x rlx; x = r1+1 rlx; l = 0 rlx", "x",
     only({"2"}), only({"1", "2"})},
};

// Creation and joins synchronise, also for SC accesses.
const Litmus kThreads[] = {
    {"create_and_join", "main: x = 1 rlx; create 1; join 1; r0 = y rlx || r0 = x rlx; y = 1 rlx", "1:r0 0:r0",
     only({"1 1"}), only({"1 1"})},
    {"no_join", "main: create 1; r0 = x rlx || x = 1 rlx", "0:r0", only({"0", "1"}), only({"0", "1"})},
    {"MP_through_join", "main: create 1; create 2; join 1; y = 1 rel; join 2 || x = 1 rlx || r0 = y acq; r1 = x rlx",
     "2:r0 2:r1", all_but({"1 0"}), all_but({"1 0"})},
    // A release fence is for the stores of its own thread.
    {"MP_fence_before_create", "main: x = 1 rlx; fence rel; create 1; create 2; join 1; join 2 || y = 1 rlx || r0 = y acq; r1 = x rlx",
     "2:r0 2:r1", only({"0 1", "1 1"}), only({"0 1", "1 1"})},
    {"MP_fence_before_nested_create",
     "main: create 1; create 2; join 1; join 2 || x = 1 rlx; fence rel; create 3 || r0 = y acq; r1 = x rlx || y = 1 rlx",
     "2:r0 2:r1", all_but({"1 0"}), all()},
    {"SB_through_create", "main: create 1; x = 1 sc; create 2; join 1; join 2 || y = 1 sc; r0 = x sc || r0 = y sc",
     "1:r0 2:r0", all_but({"0 0"}), all_but({"0 0"})},
    {"SB_through_join", "main: create 1; create 2; join 1; r0 = y sc; join 2 || x = 1 sc || y = 1 sc; r0 = x sc",
     "0:r0 2:r0", all_but({"0 0"}), all_but({"0 0"})},
    {"choose", "r0 = choose 3; x = r0 rlx || r0 = x rlx", "1:r0 2:r0",
     only({"0 0", "1 0", "1 1", "2 0", "2 2"}), only({"0 0", "1 0", "1 1", "2 0", "2 2"})},
};

// clang-format on

std::vector<Litmus> tests() {
  std::vector<Litmus> all;
  const auto add = [&](const auto& table) { all.insert(all.end(), std::begin(table), std::end(table)); };
  add(kStoreBuffering);
  add(kMessagePassing);
  add(kReleaseSequences);
  add(kLoadBuffering);
  add(kCoherence);
  add(kIriw);
  add(kWrites);
  add(kCausality);
  add(kRc11);
  add(kRmw);
  add(kThreads);
  return all;
}

class LitmusTest : public testing::TestWithParam<std::tuple<Litmus, axioms::Model>> {
 protected:
  const Litmus& test() const { return std::get<0>(GetParam()); }
  axioms::Model model() const { return std::get<1>(GetParam()); }
};

TEST_P(LitmusTest, BruteForce) { EXPECT_EQ(by_brute_force(test(), model()), expected(test(), model())); }
TEST_P(LitmusTest, Naive) { EXPECT_EQ(by_naive(test(), model()), expected(test(), model())); }
TEST_P(LitmusTest, Explorer) { EXPECT_EQ(by_explorer(test(), model()), expected(test(), model())); }

std::string test_name(const testing::TestParamInfo<std::tuple<Litmus, axioms::Model>>& info) {
  std::string name = std::get<0>(info.param).name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name + "_" + std::string(heddle::name(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(All, LitmusTest,
                         testing::Combine(testing::ValuesIn(tests()),
                                          testing::Values(axioms::Model::sc, axioms::Model::rc11)),
                         test_name);

}  // namespace
}  // namespace heddle::script_litmus
