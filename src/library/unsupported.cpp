// What a program may not use, and what it can do instead. A name that is in no row, but that the system's libraries
// have, is refused in general words; any other name the program has forgotten to define.
#include <dlfcn.h>

#include "core/words.hpp"
#include "library/table.hpp"

namespace heddle::library {
namespace {

// The first row that fits counts. What only begins like a word must be a name that the system's libraries have, unless
// they are not there to be asked.
struct Family {
  std::string_view names;
  std::string_view instead;
  bool absent = false;
};

constexpr std::string_view kNamedSemaphores = "sem_open sem_close sem_unlink semget semop semctl semtimedop";
constexpr std::string_view kCancellation =
    "pthread_cancel pthread_testcancel pthread_setcancelstate pthread_setcanceltype";
// What pthread_cleanup_push is in C without exceptions.
constexpr std::string_view kCleanups =
    "__pthread_register_cancel __pthread_unregister_cancel __pthread_unwind_next __sigsetjmp _pthread_cleanup_*";
constexpr std::string_view kScheduling =
    "pthread_setschedparam pthread_getschedparam pthread_setschedprio pthread_setaffinity_np pthread_getaffinity_np "
    "pthread_setconcurrency pthread_getconcurrency sched_* setpriority "
    "getpriority nice pthread_attr_setaffinity_np pthread_attr_getaffinity_np pthread_getcpuclockid "
    "clock_getcpuclockid pthread_setattr_default_np pthread_getattr_default_np";
constexpr std::string_view kStacks =
    "pthread_attr_setstack pthread_attr_getstack pthread_attr_setstackaddr pthread_attr_getstackaddr "
    "pthread_getattr_np sigaltstack __builtin_frame_address";
constexpr std::string_view kMutexExtras =
    "pthread_mutex_consistent* pthread_mutex_getprioceiling pthread_mutex_setprioceiling pthread_mutexattr_*";
constexpr std::string_view kProcesses =
    "fork vfork clone _Fork exec* posix_spawn* system popen pclose wait waitpid waitid wait3 wait4 daemon "
    "pthread_atfork __register_atfork kill killpg ptrace prctl setsid setpgid";
constexpr std::string_view kSignals =
    "signal sigaction sig* raise pthread_kill pthread_sigmask pthread_sigqueue pause alarm setitimer getitimer "
    "timer_* timerfd_* signalfd eventfd* psignal bsd_signal __sysv_signal";
constexpr std::string_view kJumps =
    "setjmp _setjmp sigsetjmp longjmp _longjmp siglongjmp getcontext setcontext makecontext swapcontext";
constexpr std::string_view kFiles =
    "fopen* fdopen freopen* fclose fread* fgets* fgetc* getc getc_unlocked _IO_getc getchar* ungetc getline getdelim "
    "__getdelim gets fscanf scanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc23_scanf __isoc23_fscanf fseek* "
    "ftell* rewind fgetpos* fsetpos* feof* ferror* clearerr* fileno* tmpfile* tmpnam mkstemp* remove rename* open* "
    "creat* close read pread* readv write pwrite* writev lseek* stat* fstat* lstat* __xstat* __fxstat* access unlink* "
    "mkdir* rmdir chdir getcwd opendir readdir* closedir dup dup2 dup3 pipe pipe2 fcntl* ioctl truncate* ftruncate* "
    "fsync flock stdin _ZSt3cin _ZSt4wcin _ZNSi* open_memstream fmemopen dprintf vdprintf";
constexpr std::string_view kSockets =
    "socket* bind listen accept* connect send sendto sendmsg recv recvfrom recvmsg shutdown getsockopt setsockopt "
    "getaddrinfo gethostbyname* select pselect ppoll epoll_* inet_* gethostname";
constexpr std::string_view kMappings =
    "mmap* munmap mprotect mremap madvise mlock* munlock* brk sbrk shm_* shmget shmat shmdt shmctl mq_* membarrier";
constexpr std::string_view kLoading = "dlopen dlsym dlclose dlerror dladdr dlvsym dl_iterate_phdr";
constexpr std::string_view kSystemCalls = "getauxval __getauxval";
constexpr std::string_view kLocales = "setlocale localeconv newlocale freelocale duplocale nl_langinfo* _ZNSt6locale*";
constexpr std::string_view kCalendar =
    "localtime* gmtime* mktime timegm asctime* ctime* strftime* strptime tzset times getrusage ftime settimeofday "
    "clock_settime adjtime";
constexpr std::string_view kEnvironment = "environ __environ setenv unsetenv putenv clearenv";
constexpr std::string_view kUsers =
    "getuid geteuid getgid getegid getpw* getgr* getlogin* uname sysinfo getloadavg getpgrp getpgid getsid";
constexpr std::string_view kRandomStates =
    "initstate* setstate* random_r srandom_r seed48* lcong48* erand48* nrand48* jrand48* drand48_r lrand48_r "
    "mrand48_r srand48_r";
constexpr std::string_view kWideOutput =
    "wprintf fwprintf swprintf vwprintf vfwprintf vswprintf putwchar fputwc fputws _ZSt5wcout _ZSt5wcerr _ZSt5wclog";
constexpr std::string_view kRounding =
    "fesetround fesetenv feenableexcept fedisableexcept feholdexcept feupdateenv feraiseexcept feclearexcept "
    "fetestexcept fegetenv fegetexceptflag fesetexceptflag";
constexpr std::string_view kHandlers =
    "_ZSt13set_terminate* _ZSt13get_terminate* _ZSt15set_new_handler* _ZSt15get_new_handler* _ZSt14set_unexpected* "
    "on_exit __malloc_hook";
constexpr std::string_view kMachinery = "__kmpc_* omp_* GOMP_*";
constexpr std::string_view kSanitizers =
    "__asan_* __tsan_* __ubsan_* __msan_* __sanitizer_* __llvm_profile_* __gcov_* __cyg_profile_* mcount _mcount "
    "__emutls_get_address";

constexpr Family kFamilies[] = {
    {kNamedSemaphores, "a test is one process; use sem_init"},
    {kCancellation, "threads cannot be cancelled; let the thread look at a flag"},
    {kCleanups, "for pthread_cleanup_push in C add -fexceptions after --; jumps out of functions cannot be followed"},
    {kScheduling, "every schedule is explored anyhow; leave the call out under #ifndef __HEDDLE__"},
    {kStacks, "each thread has a stack of its own; leave the call out under #ifndef __HEDDLE__"},
    {kMutexExtras, "leave the call out under #ifndef __HEDDLE__"},
    {kProcesses, "a test is one process; use threads, and leave the call out under #ifndef __HEDDLE__"},
    {kJumps, "jumps out of functions cannot be followed; return an error code, or throw an exception in C++"},
    {"signgam", "the sign of lgamma is not kept"},
    {kSignals, "there are no signals; call the handler from a thread of its own"},
    {kSockets, "a test has no input from outside; put the data into the program"},
    {kFiles, "a test has no files and no input; put the data into the program"},
    {kMappings, "memory comes from malloc, new and variables"},
    {kLoading, "give the source of the library together with the program"},
    {kSystemCalls, "the kernel cannot be asked; use the functions of pthread.h or C11 atomics"},
    {kLocales, "the locale is always \"C\"; leave the call out"},
    {kCalendar, "time is made up; compute with the numbers of time() or clock_gettime()"},
    {kEnvironment, "the environment is empty and stays so"},
    {kUsers, "a test must not depend on the machine or the user; use a constant"},
    {kRandomStates, "use rand, or rand_r with a state of your own"},
    {kWideOutput, "use printf"},
    {kRounding, "the floating-point environment is always the default one"},
    {kHandlers, "what the handler would be told of is reported anyhow; leave the call out under #ifndef __HEDDLE__"},
    {kMachinery, "OpenMP is not available; use pthread_create", true},
    {"__truncsfbf2 __truncdfbf2", "there is no arithmetic with __bf16; use float", true},
    {kSanitizers, "compile without sanitizers, profiles and emulated thread-local storage: heddle has its own checks",
     true},
};

// Words in the mangled names of the C++ library.
struct Part {
  std::string_view word;
  std::string_view instead;
};
constexpr Part kParts[] = {
    {"random_device", "use rand, or an engine with a fixed seed"},
    {"__detail", "this part of the C++ library is not available yet"},
    {"filesystem", "a test has no files; put the data into the program"},
    {"fstream", "a test has no files; put the data into the program"},
    {"filebuf", "a test has no files; put the data into the program"},
    {"__basic_file", "a test has no files; put the data into the program"},
    {"pmr", "use the default allocator"},
};

// Names of the C++ library are mangled, and begin with _ZNSt, _ZNKSt, _ZSt, _ZTISt, …
bool is_cxx_library(std::string_view name) {
  return name.starts_with("_Z") && (name.find("St") < 8 || name.find("__gnu_cxx") != std::string_view::npos);
}

}  // namespace

std::string why_unsupported(const std::string& name) {
  // Functions of heddle itself are found, too: their names are all mangled, in a namespace of its own.
  const bool known = name.find("6heddle") == std::string::npos && dlsym(RTLD_DEFAULT, name.c_str()) != nullptr;
  for (const Family& f : kFamilies) {
    const WordFit it = fit(name, f.names);
    if (it == WordFit::whole || (it == WordFit::beginning && (known || f.absent))) return std::string(f.instead);
  }
  if (is_cxx_library(name)) {
    for (const Part& p : kParts)
      if (name.find(p.word) != std::string::npos) return std::string(p.instead);
  }
  if (known) {
    return "heddle does not know this library function; define one of your own in one of the files, or leave the call "
           "out under #ifndef __HEDDLE__";
  }
  return "";
}

}  // namespace heddle::library
