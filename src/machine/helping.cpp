#include "machine/helping.hpp"

#include "machine/models.hpp"

namespace heddle {
namespace helping {
namespace {

struct Access {
  Address address;
  unsigned size;
};

// The body that is being run dry. No other thread runs meanwhile.
struct Body {
  HostVector<Access> reads;
  bool has_cas = false;
  Access cas{};
  Value expected;
  Value desired;
  AtomicOrder order{};
};
Body body;

void require_visible(Address a) {
  if (in_null_page(a)) fail_null(a, false);
  if (!cell::covered(a)) fail(ErrorKind::annotation, "a helping operation uses memory that other threads cannot see");
}

void start() {
  if (rt.dry) fail(ErrorKind::annotation, "operations that others may help with cannot contain each other");
  body.reads.clear();
  body.has_cas = false;
  rt.dry = true;
  rt.concurrent = false;
}

// Stands for the addresses that are read, in their order; 0 if there are none.
uint64_t reads_key() {
  uint64_t key = 0;
  for (const Access& r : body.reads) key = (key ^ r.address) * 0x9e3779b97f4a7c15u + 1;
  return key;
}

void mark(bool helping) {
  rt.dry = false;
  rt.concurrent = true;
  if (!body.has_cas) fail(ErrorKind::annotation, "an operation that others may help with must end with a cas");
  Thread& t = *rt.current;
  take(t, ActionKind::help, body.cas.address, [&](Action& x) {
    x.helping = helping;
    x.size = static_cast<uint8_t>(body.cas.size);
    x.mode = body.order.mode;
    x.fail_mode = body.order.fail_mode;
    x.expected = body.expected;
    x.operand = body.desired;
    x.length = reads_key();
  });
}

bool active() { return rt.options.helping && rt.concurrent; }

bool helped_begin() {
  if (rt.dry || !active()) return false;
  start();
  return true;
}

void helped_end() {
  if (rt.dry) mark(false);
}

void helping_begin() {
  if (rt.dry || active()) start();
}

// What it would have accessed must be there, and not race: Lemma D.5 relies on the marker for that.
void helping_end() {
  if (!rt.dry) return;
  const HostVector<Access> reads = body.reads;  // other threads run meanwhile
  const Access cas = body.cas;
  mark(true);
  for (const Access& r : reads) cell::touch(*rt.current, r.address, r.size, cell::Use::load);
  cell::touch(*rt.current, cas.address, cas.size, cell::Use::update);
}

bool helping_value(bool result) {
  if (!rt.dry) return result;
  helping_end();
  return false;
}

}  // namespace

Value dry_load(Address a, unsigned size) {
  require_visible(a);
  if (body.has_cas) dry_other("reads after its cas");
  HostScope scope;
  body.reads.push_back({a, size});
  return rt.machine->base(a, static_cast<uint8_t>(size));
}

Value dry_cas(Address a, unsigned size, Value expected, Value desired, AtomicOrder order) {
  require_visible(a);
  if (body.has_cas) dry_other("has more than one cas");
  body.has_cas = true;
  body.cas = {a, size};
  body.expected = expected;
  body.desired = desired;
  body.order = order;
  return expected;
}

void dry_other(const char* what) {
  HostScope scope;
  fail(ErrorKind::annotation,
       std::string("an operation that others may help with ") + what + "; it may only read and then do one cas");
}

}  // namespace helping

std::span<const models::Entry> models::helping_functions() {
  static const Entry table[] = {
      entry("heddle_helped_begin", helping::helped_begin),   entry("heddle_helped_end", helping::helped_end),
      entry("heddle_helping_begin", helping::helping_begin), entry("heddle_helping_end", helping::helping_end),
      entry("heddle_helping_value", helping::helping_value),
  };
  return table;
}

}  // namespace heddle
