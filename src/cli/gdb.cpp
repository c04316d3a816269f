#include "cli/gdb.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/files.hpp"
#include "core/error.hpp"
#include "core/thread_name.hpp"
#include "native/threads.hpp"
#include "report/places.hpp"

// What the script of gdb looks at. The compiler knows of nobody who does.
extern "C" {
// The program is in memory; `main` is its main function.
[[gnu::noinline, gnu::used]] void heddle_debug_ready(void* main) { asm volatile("" : : "r"(main) : "memory"); }
// A thread is about to do an action. `context` is where its stack stands.
[[gnu::noinline, gnu::used]] void heddle_debug_action(void* context) { asm volatile("" : : "r"(context) : "memory"); }
// A line for each thread: its context, in hexadecimal, and what is told of it.
[[gnu::used]] const char* heddle_debug_threads = "";
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

// gdb reads the script when it starts. It is the script that removes it.
std::string write_script() {
  std::string file = (std::filesystem::temp_directory_path() / "heddle-gdb-XXXXXX").string();
  const int fd = mkstemp(file.data());
  if (fd < 0) throw UserError(fmt::format("{}: cannot be written: {}", file, std::strerror(errno)));
  close(fd);
  write_whole(file, fmt::format("{}\npython __import__('os').unlink('{}')\n", kGdbScript, file));
  return file;
}

}  // namespace

void start_gdb(const Options& options) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string script = write_script();
  // Options of the user come before the files, as -batch must, and commands after the script has stopped at main.
  std::vector<std::string> words = {"gdb", "-q", "-nx", "-x", script};
  words.insert(words.end(), options.gdb_args.begin(), options.gdb_args.end());
  for (const std::string& word :
       {std::string("--args"), self, std::string("replay"), std::string("--in-debugger"), options.saved})
    words.push_back(word);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp("gdb", argv.data());
  const int error = errno;
  unlink(script.c_str());
  throw UserError(fmt::format("--gdb: gdb cannot be started ({}): install gdb", std::strerror(error)));
}

BeforeAction debugger_hook(NativeMachine& machine) {
  heddle_debug_main = machine.image().main;
  heddle_debug_ready(heddle_debug_main);
  return [&machine, text = std::make_shared<std::string>()](std::size_t, const ShownAction& action) {
    *text = threads_text(machine);
    heddle_debug_threads = text->c_str();
    if (action.performed) heddle_debug_action(thread(action.thread).context);
  };
}

}  // namespace heddle::cli
