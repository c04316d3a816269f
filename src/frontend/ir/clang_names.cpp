#include "frontend/ir/clang_names.hpp"

#include <llvm/IR/DebugInfoMetadata.h>

namespace heddle::frontend {

using namespace llvm;

bool is_unmarked_temporary(const AllocaInst& local) { return local.getName().starts_with("agg.tmp"); }

bool is_unused_temporary(const AllocaInst& local) { return local.getName().starts_with("agg.tmp.ensured"); }

bool is_address_for_debugger(const llvm::Value& place) { return place.getName().contains(".indirect_addr"); }

bool is_in_vector_bool(const Instruction& i) {
  const DILocation* const place = i.getDebugLoc().get();
  return place && place->getFilename().ends_with("/bits/stl_bvector.h");
}

bool is_string_literal(const GlobalVariable& g) { return g.getName().starts_with(".str"); }

}  // namespace heddle::frontend
