#include "explore/share/work_item.hpp"

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/seal.hpp"

namespace heddle {
namespace {

constexpr SealKind kItem = {"this work item", "heddle work item\n", 6};

}  // namespace

uint64_t item_rules(const Machine& machine, const Request& request) {
  Hash hash;
  hash.add(name(request.algorithm)).add(name(request.model));
  hash.add(request.races_ignore).add(request.rcmc.psc).add(request.arrivals).add(machine.rules());
  return hash.value();
}

std::string seal_item(const std::string& contents, uint64_t rules) {
  Writer head;
  head.number(rules);
  return seal(kItem, head.bytes() + contents);
}

std::string open_item(std::string_view item, const Machine& machine, const Request& request) {
  const std::string contents = unseal(kItem, item);
  try {
    Reader head(contents);
    if (head.number() != item_rules(machine, request)) {
      refuse_sealed(kItem, "it was made for another program, algorithm, memory model, or with other options");
    }
    return std::string(head.rest());
  } catch (const UserError&) {
    throw;
  } catch (const std::runtime_error& e) {
    refuse_sealed(kItem, e.what());
  }
}

}  // namespace heddle
