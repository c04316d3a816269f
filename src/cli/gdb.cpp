#include "cli/gdb.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/courier.hpp"
#include "core/error.hpp"
#include "core/result.hpp"
#include "core/thread_name.hpp"
#include "native/threads.hpp"
#include "report/places.hpp"

// What the script of gdb reads. The compiler sees no use of it.
extern "C" {
// The program is in memory; `main` is its main function.
[[gnu::noinline, gnu::used]] void heddle_debug_ready(void* main) { asm volatile("" : : "r"(main) : "memory"); }
// A thread is about to do an action. `context` is where its stack stands.
[[gnu::noinline, gnu::used]] void heddle_debug_action(void* context) { asm volatile("" : : "r"(context) : "memory"); }
// The execution has ended.
[[gnu::noinline, gnu::used]] void heddle_debug_end() { asm volatile("" : : : "memory"); }
// A line for each thread: its context, in hexadecimal, and what is told of it.
[[gnu::used]] const char* heddle_debug_threads = "";
// The action: which thread does what, and where.
[[gnu::used]] const char* heddle_debug_doing = "";
// What is wrong with the execution that has ended.
[[gnu::used]] const char* heddle_debug_error = "";
[[gnu::used]] void* heddle_debug_main = nullptr;
}

namespace heddle::cli {
namespace {

std::string action_text(NativeMachine& machine, ThreadId t) {
  const Action& a = machine.pending(t);
  const std::string place = shown_place(user_site(machine.image().sites, a.site));
  switch (a.kind) {
    case ActionKind::done: return "has ended";
    case ActionKind::error: return "has failed";
    case ActionKind::block: return fmt::format("goes no further, at {}", place);
    case ActionKind::create:
    case ActionKind::join: return fmt::format("before {} of {}, at {}", name(a.kind), name_of(a.child), place);
    default: break;
  }
  const std::string what = a.addr == 0 ? "" : " of " + machine.describe(a.addr);
  return fmt::format("before {}{}, at {}", name(a.kind), what, place);
}

// Threads that have not begun are not looked at: that would start them.
std::string threads_text(NativeMachine& machine) {
  std::string out;
  for (const ThreadId t : machine.threads()) {
    const bool begun = thread(t).started;
    out += fmt::format("{:x} {}: {}\n", begun ? reinterpret_cast<uintptr_t>(thread(t).context) : 0,
                       name_of(t, machine.name(t)), begun ? action_text(machine, t) : "has not begun");
  }
  return out;
}

std::string value_text(const Value& v) {
  return v.hi == 0 ? fmt::format("{:#x}", v.lo) : fmt::format("{:#x}{:016x}", v.hi, v.lo);
}

std::string doing_text(NativeMachine& machine, const ShownAction& action) {
  const Action& a = machine.pending(action.thread);
  const std::string place = shown_place(user_site(machine.image().sites, a.site));
  std::string out = fmt::format("{}: {}", name_of(action.thread, machine.name(action.thread)), name(a.kind));
  if (a.addr != 0) out += " of " + machine.describe(a.addr);
  if (a.child != kNoThread) out += " of " + name_of(a.child);
  if (action.read) out += ", reads " + value_text(*action.read);
  if (action.written) out += ", writes " + value_text(*action.written);
  return out + ", at " + place;
}

// What actions write is nowhere in the program's memory: each read is told its value. For a user who looks at a
// variable with the debugger, the newest value in coherence order is put there. The program itself does not look.
class NewestValues {
 public:
  explicit NewestValues(const Image& image) : image_(image) {}

  void put(const Action& a, const ShownAction& action) {
    if (!action.written || !is_access(a.kind) || !is_writable(a.addr)) return;
    uint32_t& newest = newest_[a.addr];
    if (action.co < newest) return;
    newest = action.co;
    std::memcpy(reinterpret_cast<void*>(a.addr), &*action.written, std::min<std::size_t>(a.size, sizeof(Value)));
  }

 private:
  bool is_writable(Address a) const {
    const auto* const byte = reinterpret_cast<const std::byte*>(a);
    return region::in_arena(a) || std::ranges::any_of(image_.writable, [&](const Image::Segment& s) {
             return byte >= s.start && byte < s.start + s.size;
           });
  }

  const Image& image_;
  std::map<Address, uint32_t> newest_;
};

// gdb reads the script when it starts. It is the script that removes it.
std::string write_script() {
  std::string file = (std::filesystem::temp_directory_path() / "heddle-gdb-XXXXXX").string();
  const int fd = mkstemp(file.data());
  if (fd < 0) throw UserError(fmt::format("{}: cannot be written: {}", file, std::strerror(errno)));
  close(fd);
  write_output(file, fmt::format("{}\npython __import__('os').unlink('{}')\n", kGdbScript, file));
  return file;
}

}  // namespace

void start_gdb(const Options& options) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string script = write_script();
  // Options of the user come before the files, as -batch must, and commands after the script has stopped at main.
  std::vector<std::string> words = {"gdb", "-q", "-x", script};
  words.insert(words.end(), options.gdb_args.begin(), options.gdb_args.end());
  for (const char* word : {"--args", self.c_str(), "replay", "--in-debugger"}) words.emplace_back(word);
  if (options.no_sandbox) words.emplace_back("--no-sandbox");
  words.push_back(options.saved);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp("gdb", argv.data());
  const int error = errno;
  unlink(script.c_str());
  throw UserError(fmt::format("--gdb: gdb cannot be started ({}): install gdb", std::strerror(error)));
}

void tell_debugger_end(NativeMachine& machine, const Result& result) {
  const std::string threads = threads_text(machine);
  std::string error;
  if (!result.findings.empty()) {
    const Error& e = result.findings.front().error;
    error = fmt::format(", {}: {}: {}", shown_place(user_site(machine.image().sites, e.site)), name(e.kind), e.message);
  }
  heddle_debug_threads = threads.c_str();
  heddle_debug_error = error.c_str();
  heddle_debug_end();
  heddle_debug_threads = heddle_debug_error = "";
}

BeforeAction debugger_hook(NativeMachine& machine) {
  heddle_debug_main = machine.image().main;
  heddle_debug_ready(heddle_debug_main);
  struct State {
    NewestValues values;
    std::string threads;
    std::string doing;
  };
  auto state = std::make_shared<State>(NewestValues(machine.image()));
  return [&machine, state](std::size_t, const ShownAction& action) {
    const Action& a = machine.pending(action.thread);  // begins the thread, if it has not
    state->threads = threads_text(machine);
    heddle_debug_threads = state->threads.c_str();
    if (!action.performed || a.kind == ActionKind::error) return;
    state->doing = doing_text(machine, action);
    heddle_debug_doing = state->doing.c_str();
    state->values.put(a, action);
    heddle_debug_action(thread(action.thread).context);
  };
}

}  // namespace heddle::cli
