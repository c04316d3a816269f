#include "explore/request/coverage.hpp"

namespace heddle {
namespace {

bool covered(Algorithm a, ModelKind m) {
  switch (a) {
    case Algorithm::spore: return has_co(m);
    case Algorithm::rcmc: return m == ModelKind::rc11 || m == ModelKind::wrc11;
    case Algorithm::await:
    case Algorithm::rvf: return m == ModelKind::sc;
  }
  __builtin_unreachable();
}

std::string option(std::string_view option, std::string_view value) {
  return "--" + std::string(option) + " " + std::string(value);
}

}  // namespace

std::string why_not(Algorithm a, ModelKind m) {
  if (covered(a, m)) return {};
  switch (a) {
    case Algorithm::spore:
      return option("model", name(m)) +
             ": it has no coherence order, which spore needs; it is explored by --algorithm rcmc only";
    case Algorithm::rcmc:
      return option("algorithm", name(a)) + " " + option("model", name(m)) +
             ": rcmc is made for rc11 and wrc11, whose executions can be explored without their SC axiom; use one of "
             "these, or --algorithm spore";
    case Algorithm::await:
    case Algorithm::rvf:
      return option("algorithm", name(a)) + " " + option("model", name(m)) + ": " + std::string(name(a)) +
             " explores interleavings, which are the executions of sc; use --model sc, or --algorithm spore";
  }
  __builtin_unreachable();
}

std::string why_not(Algorithm a, ModelKind m, Feature f) {
  const bool spore = a == Algorithm::spore;
  switch (f) {
    case Feature::symmetry:
    case Feature::helping:
      if (!spore) {
        return "--" + std::string(name(f)) + " " + option("algorithm", name(a)) +
               ": only spore has it; use --algorithm spore";
      }
      if (f == Feature::helping && (m == ModelKind::tso || m == ModelKind::pso)) {
        return "--helping " + option("model", name(m)) +
               ": leaving out helping operations is proved right for sc, ra and rc11 only; use --no-helping";
      }
      return {};
    case Feature::psc:
      if (a == Algorithm::rcmc) return {};
      return "--psc, --no-psc: " + std::string(name(a)) +
             " never explores an execution that breaks the SC axiom; it is for --algorithm rcmc";
    case Feature::count_duplicates:
      if (a == Algorithm::rcmc) return {};
      return "--count-duplicates: " + std::string(name(a)) + " has no duplicates; it is for --algorithm rcmc";
    case Feature::commute:
      if (a != Algorithm::rvf) return {};
      return "--commute, --no-commute: rvf tells executions apart by the values that are read; it is for the others";
    case Feature::signals:
    case Feature::closure:
    case Feature::auxiliary:
    case Feature::greedy:
      if (a == Algorithm::rvf) return {};
      return "--" + std::string(name(f)) + ": it is for --algorithm rvf";
    case Feature::queue:
      if (explores_graphs(a)) return {};
      return "--" + std::string(name(f)) + " " + option("algorithm", name(a)) +
             ": its parts are not independent, so one process must keep them; use --algorithm spore or rcmc";
    case Feature::estimate:
      if (spore) return {};
      return option("algorithm", name(a)) + ": only an exploration by spore can be estimated; use --algorithm spore";
  }
  __builtin_unreachable();
}

}  // namespace heddle
