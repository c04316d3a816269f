#include "native/helping.hpp"

#include <algorithm>
#include <utility>

namespace heddle::helping {

State state;

namespace {

Body& body = state.body;

void require_visible(Address a) {
  if (in_null_page(a)) fail_null(a, false);
  if (!cell::covered(a)) fail(ErrorKind::annotation, "a helping operation uses memory that other threads cannot see");
}

void require_same(bool same) {
  if (same) return;
  fail(ErrorKind::annotation,
       "what an operation that others may help with reads, compares and does must not depend on the values that it "
       "reads, but for the new value of its cas");
}

[[noreturn]] void refuse_other(const char* what) {
  HostScope scope;
  fail(ErrorKind::annotation,
       std::string("an operation that others may help with ") + what + "; it may only read and then do one cas");
}

Value load(Address a, unsigned size, Mode mode) {
  HEDDLE_ASSERT(!rt.concurrent && state.used);
  require_visible(a);
  if (body.again ? body.cas_again : body.has_cas) refuse_other("reads after its cas");
  const Value base = base_value(a, size);
  if (!body.again) {
    HostScope scope;
    body.reads.push_back({a, size, mode});
    return base;
  }
  const std::size_t i = body.reads_again++;
  require_same(i < body.reads.size() && body.reads[i].address == a && body.reads[i].size == size);
  return apply(RmwOp::bxor, base, {0x55, 0}, static_cast<uint8_t>(size));
}

Value cas(Address a, unsigned size, Value expected, Value desired, AtomicOrder order) {
  HEDDLE_ASSERT(!rt.concurrent && state.used);
  require_visible(a);
  if (body.again ? body.cas_again : body.has_cas) refuse_other("has more than one cas");
  if (body.again) {
    require_same(body.cas.address == a && body.cas.size == size && body.expected == expected);
    body.cas_again = true;
    body.desired_again = desired;
    return expected;
  }
  body.has_cas = true;
  body.cas = {a, size};
  body.expected = expected;
  body.desired = desired;
  body.order = order;
  return expected;
}

void forbid(const char* what) {
  HostScope scope;
  fail(ErrorKind::annotation, std::string("an operation that others may help with must not ") + what);
}

void end_rehearsal() {
  rt.rehearsal = nullptr;
  rt.concurrent = true;
}

void failed(Error& error) {
  end_rehearsal();
  if (error.kind == ErrorKind::annotation) return;
  error.kind = ErrorKind::annotation;
  error.message = "an operation that others may help with must find all it needs by its arguments: " + error.message;
}

constexpr Rehearsal kRehearsal{load, cas, refuse_other, forbid, failed};

void mark(bool helping) {
  require_same(body.cas_again && body.reads_again == body.reads.size());
  end_rehearsal();
  Thread& t = *rt.current;
  take(t, ActionKind::help, body.cas.address, [&](Action& x) {
    x.helping = helping;
    x.size = static_cast<uint8_t>(body.cas.size);
    x.mode = body.order.mode;
    x.fail_mode = body.order.fail_mode;
    x.expected = body.expected;
    x.operand = body.desired;
    if (body.cas.size <= 8) x.operand.hi = body.desired_again.lo;  // to be compared with that of others
    HostScope scope;
    HostVector<HelpRead>& reads = state.reads[t.id];
    undo::keep_list(reads);
    reads.clear();
    for (const Access& r : body.reads) reads.push_back({r.address, r.mode, hazards::guards(t, r.address)});
    x.reads = reads;
  });
}

}  // namespace

// The rehearsal begins now.
bool begin() {
  if (rt.rehearsal != nullptr)
    fail(ErrorKind::annotation, "operations that others may help with cannot contain each other");
  if (!rt.options.helping || !rt.concurrent) return false;
  body.reads.clear();
  body.has_cas = body.again = body.cas_again = false;
  body.reads_again = 0;
  state.used = true;
  rt.rehearsal = &kRehearsal;
  rt.concurrent = false;
  return true;
}

void again() {
  if (!body.has_cas) fail(ErrorKind::annotation, "an operation that others may help with must end with a cas");
  body.again = true;
}

void helped_end() {
  const Address due = body.cas.address;
  mark(false);
  undo::keep(state.cas_due[rt.current->id]);
  state.cas_due[rt.current->id] = due;
}

// Threads that helped may have read something else, and done the cas.
void helped_done() {
  Thread& t = *rt.current;
  undo::keep(state.cas_due[t.id]);
  const Address due = std::exchange(state.cas_due[t.id], 0);
  if (due == 0 || (t.next[-1].kind == ActionKind::cas && t.next[-1].addr == due)) return;
  fail(ErrorKind::annotation, "an operation that others may help with must do its cas whatever it reads");
}

// What it would have accessed must be there, and not race: Lemma D.5 relies on the marker for that.
void helping_end() {
  HostVector<Access>& reads = state.skipped[rt.current->id];  // other threads run meanwhile
  undo::keep_list(reads);
  reads = body.reads;
  const Access cas = body.cas;
  mark(true);
  for (const Access& r : reads) cell::touch(*rt.current, r.address, r.size, cell::Use::load);
  cell::touch(*rt.current, cas.address, cas.size, cell::Use::update);
}

void reset() {
  HEDDLE_ASSERT(state.used || std::ranges::all_of(rt.threads, [](ThreadId t) { return state.cas_due[t] == 0; }));
  if (!state.used) return;
  state.used = false;
  for (const ThreadId t : rt.threads) state.cas_due[t] = 0;
}

void find_reads() {
  if (!state.used) return;
  for (const ThreadId t : rt.threads) {
    Action& pending = thread(t).pending;
    if (pending.kind == ActionKind::help) pending.reads = state.reads[t];
  }
}

}  // namespace heddle::helping
