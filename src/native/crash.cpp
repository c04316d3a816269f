// A signal handler on its own stack. If a fibre runs, the handler describes the crash as the thread's error and
// switches to the host; the handler's frame is abandoned, which is fine because no signal is blocked and the kernel
// judges by the stack pointer whether the signal stack is in use. Outside of fibres a signal means what it always
// means.
#include "native/crash.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <iterator>

#include "core/stop.hpp"
#include "native/access.hpp"
#include "native/sandbox.hpp"

namespace heddle::crash {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
alignas(64) char stack[1 << 16];
struct sigaction before[std::size(kSignals)];
stack_t stack_before;

const char* text(int signal, int code) {
  switch (signal) {
    case SIGFPE: return code == FPE_INTDIV ? "division by zero (SIGFPE)" : "arithmetic error (SIGFPE)";
    case SIGILL: return "illegal instruction (SIGILL)";
    case SIGABRT: return "the program aborted (SIGABRT)";
    case SIGTRAP: return "the program trapped (SIGTRAP)";
    case SIGSYS: return "bad system call (SIGSYS)";
    case SIGBUS: return "bus error (SIGBUS)";
    default: return "segmentation fault (SIGSEGV)";
  }
}

Address program_counter(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<Address>(context.uc_mcontext.gregs[REG_RIP]);
#else
  return context.uc_mcontext.pc;
#endif
}

// Where the program is; on some machines also if what it has called ran out of stack.
Address place_in_program(const ucontext_t& context) {
#if defined(__aarch64__)
  if (!region::in_image(program_counter(context))) return context.uc_mcontext.regs[30];
#endif
  return program_counter(context);
}

// " in f": the function of the program that was running.
std::string function_at(Address pc) {
  const Image::Function* best = nullptr;
  for (const Image::Function& f : rt.image->functions) {
    if (f.address <= pc && (best == nullptr || f.address > best->address)) best = &f;
  }
  return best == nullptr || !region::in_image(pc) ? std::string() : fmt::format(" in {}", best->name);
}

[[noreturn]] void report(int signal, const siginfo_t& info, const ucontext_t& context) {
  HostScope scope;
  if (sandbox::is_ours(signal, info)) sandbox::report(info);
  const auto a = address(info.si_addr);
  if (signal != SIGSEGV && signal != SIGBUS) fail(ErrorKind::crash, text(signal, info.si_code));
  if (access::state.probe != 0) {
    const Address probe = access::state.probe;
    access::state.probe = 0;
    fail(ErrorKind::memory, fmt::format("access to the invalid address {:#x}", probe));
  }
  if (region::stack_low(rt.current->id) - 1 - a < region::kStackGuard)
    heap::fail_stack(function_at(place_in_program(context)));
  // x86-64 does not tell which address it is if none of that form can be one.
  if (info.si_code == SI_KERNEL)
    fail(ErrorKind::crash, fmt::format("{} at an address that no memory can have", text(signal, 0)));
  if (a < 4096) fail(ErrorKind::crash, fmt::format("{} through a null pointer", text(signal, 0)));
  fail(ErrorKind::crash, fmt::format("{} at address {:#x}", text(signal, 0), a));
}

void handle(int signal, siginfo_t* info, void* context) {
  if (rt.current != nullptr) report(signal, *info, *static_cast<const ucontext_t*>(context));
  // Ours to die of: once the handler returns, the faulting instruction runs again.
  for (std::size_t i = 0; i < std::size(kSignals); ++i)
    if (kSignals[i] == signal) sigaction(signal, &before[i], nullptr);
  if (info->si_code <= 0) raise(signal);
}

// The run was asked to stop. A thread that computes may do so for ever, so its fibre is left as after a crash. Other
// code is not: it may hold a lock, and it ends soon. Then no loop of the program goes round again.
void leave_program(const void* context) {
  abi::__heddle_fuel = 0;
  if (rt.current != nullptr && region::in_image(program_counter(*static_cast<const ucontext_t*>(context))))
    leave_stopped();
}

}  // namespace

void install() {
  stack_t s{};
  s.ss_sp = stack;
  s.ss_size = sizeof stack;
  sigaltstack(&s, &stack_before);
  struct sigaction action{};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &action, &before[i]);
  stop::leave_program = leave_program;
}

void uninstall() {
  stop::leave_program = nullptr;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before[i], nullptr);
  sigaltstack(&stack_before, nullptr);
}

}  // namespace heddle::crash
