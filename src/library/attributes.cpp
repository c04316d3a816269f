// Attributes of threads. Of those that can be set only the detached state matters here: every thread has a large stack
// of its own, and what the scheduler does is explored. All are kept, and given back as POSIX says.
#include "library/attributes.hpp"

#include <sched.h>

#include <cerrno>

#include "library/table.hpp"
#include "native/access.hpp"

namespace heddle::library {
namespace {

// What stands in a pthread_attr_t.
struct Attributes {
  uint32_t mark = kMark;
  int detached = PTHREAD_CREATE_JOINABLE;
  int scope = PTHREAD_SCOPE_SYSTEM;
  int inherit = PTHREAD_INHERIT_SCHED;
  int policy = SCHED_OTHER;
  int priority = 0;
  uint64_t stack = 8 << 20;
  uint64_t guard = 4096;

  static constexpr uint32_t kMark = 0x6864'6c61;
};
static_assert(sizeof(Attributes) <= sizeof(pthread_attr_t));

void require(const Attributes* a) {
  if (plain_get(&a->mark) != Attributes::kMark)
    fail(ErrorKind::thread, "use of thread attributes that pthread_attr_init has not initialised");
}

int initialise(Attributes* a) {
  const Attributes fresh;
  plain_write(address(a), &fresh, sizeof fresh);
  return 0;
}
int destroy(Attributes* a) {
  require(a);
  plain_put(&a->mark, 0u);
  return 0;
}

template <auto member>
int get(const Attributes* a, std::remove_cvref_t<decltype(Attributes{}.*member)>* out) {
  require(a);
  plain_put(out, plain_get(&(a->*member)));
  return 0;
}
template <auto member>
int set(Attributes* a, std::remove_cvref_t<decltype(Attributes{}.*member)> value, int problem) {
  require(a);
  if (problem == 0) plain_put(&(a->*member), value);
  return problem;
}

int set_detach_state(Attributes* a, int value) {
  const bool known = value == PTHREAD_CREATE_JOINABLE || value == PTHREAD_CREATE_DETACHED;
  return set<&Attributes::detached>(a, value, known ? 0 : EINVAL);
}
int set_scope(Attributes* a, int value) {
  const int problem = value == PTHREAD_SCOPE_SYSTEM ? 0 : value == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
  return set<&Attributes::scope>(a, value, problem);
}
int set_inherit(Attributes* a, int value) {
  const bool known = value == PTHREAD_INHERIT_SCHED || value == PTHREAD_EXPLICIT_SCHED;
  return set<&Attributes::inherit>(a, value, known ? 0 : EINVAL);
}
int set_policy(Attributes* a, int value) {
  const bool known = value == SCHED_OTHER || value == SCHED_FIFO || value == SCHED_RR;
  return set<&Attributes::policy>(a, value, known ? 0 : EINVAL);
}
int set_parameters(Attributes* a, const sched_param* parameters) {
  require(a);
  const int priority = plain_get(&parameters->sched_priority);
  const bool plain = plain_get(&a->policy) == SCHED_OTHER;
  const bool fits = plain ? priority == 0 : priority >= 1 && priority <= 99;
  return set<&Attributes::priority>(a, priority, fits ? 0 : EINVAL);
}
int get_parameters(const Attributes* a, sched_param* out) {
  return get<&Attributes::priority>(a, &out->sched_priority);
}
int set_stack_size(Attributes* a, std::size_t value) {
  return set<&Attributes::stack>(a, value, value < static_cast<std::size_t>(kSmallestStack) ? EINVAL : 0);
}
int set_guard_size(Attributes* a, std::size_t value) { return set<&Attributes::guard>(a, value, 0); }

}  // namespace

bool creates_detached(const pthread_attr_t* attributes) {
  if (attributes == nullptr) return false;
  const auto* const a = reinterpret_cast<const Attributes*>(attributes);
  require(a);
  return plain_get(&a->detached) == PTHREAD_CREATE_DETACHED;
}

std::span<const Row> attribute_functions() {
  static const Row table[] = {
      row("pthread_attr_init", initialise),
      row("pthread_attr_destroy", destroy),
      row("pthread_attr_setdetachstate", set_detach_state),
      row("pthread_attr_getdetachstate", get<&Attributes::detached>),
      row("pthread_attr_setstacksize", set_stack_size),
      row("pthread_attr_getstacksize", get<&Attributes::stack>),
      row("pthread_attr_setguardsize", set_guard_size),
      row("pthread_attr_getguardsize", get<&Attributes::guard>),
      row("pthread_attr_setscope", set_scope),
      row("pthread_attr_getscope", get<&Attributes::scope>),
      row("pthread_attr_setinheritsched", set_inherit),
      row("pthread_attr_getinheritsched", get<&Attributes::inherit>),
      row("pthread_attr_setschedpolicy", set_policy),
      row("pthread_attr_getschedpolicy", get<&Attributes::policy>),
      row("pthread_attr_setschedparam", set_parameters),
      row("pthread_attr_getschedparam", get_parameters),
  };
  return table;
}

}  // namespace heddle::library
