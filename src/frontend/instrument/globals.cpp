// Global variables: their names and types for reports, thread_local ones as offsets into a per-thread block, and a red
// zone behind each so that running over its end is noticed.
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ReplaceConstant.h>

#include "core/assert.hpp"
#include "core/error.hpp"
#include "frontend/instrument/instrument.hpp"
#include "frontend/ir/clang_names.hpp"

namespace heddle::frontend {

using namespace llvm;
using abi::Entry;
using llvm::Value;  // not heddle::Value

namespace {

const DIGlobalVariable* debug_info(const GlobalVariable& g) {
  SmallVector<DIGlobalVariableExpression*, 1> info;
  g.getDebugInfo(info);
  return info.empty() ? nullptr : info[0]->getVariable();
}

Image::Global describe(const GlobalVariable& g, Types& types) {
  Image::Global result;
  result.size = g.getDataLayout().getTypeAllocSize(g.getValueType());
  result.constant = g.isConstant();
  if (const DIGlobalVariable* info = debug_info(g)) {
    result.name = qualified_name(info->getScope(), info->getName());
    result.type = types.of(info->getType());
  }
  if (result.name.empty()) result.name = is_string_literal(g) ? "a string" : demangle(g.getName());
  return result;
}

bool is_for_the_linker(const GlobalVariable& g) {
  return g.getName().starts_with("llvm.") || g.hasAppendingLinkage() || g.hasSection();
}

// What the C++ library itself looks at natively, tables of virtual functions and types, needs no guard.
bool is_guarded(const GlobalVariable& g) {
  return !g.isDeclaration() && !g.isThreadLocal() && !is_for_the_linker(g) && !g.getName().starts_with("_ZT");
}

void add_red_zone(GlobalVariable& g) {
  Module& module = *g.getParent();
  LLVMContext& context = module.getContext();
  Type* zone = ArrayType::get(Type::getInt8Ty(context), Image::kRedZone);
  StructType* type = StructType::get(context, {g.getValueType(), zone});
  Constant* initial = ConstantStruct::get(type, {g.getInitializer(), Constant::getNullValue(zone)});
  auto* wide = new GlobalVariable(module, type, g.isConstant(), g.getLinkage(), initial, "", &g);
  wide->copyAttributesFrom(&g);
  wide->setComdat(g.getComdat());
  wide->setAlignment(g.getAlign().value_or(module.getDataLayout().getPreferredAlign(&g)));
  SmallVector<DIGlobalVariableExpression*, 1> info;
  g.getDebugInfo(info);
  for (DIGlobalVariableExpression* i : info) wide->addDebugInfo(i);
  wide->takeName(&g);
  g.replaceAllUsesWith(wide);
  g.eraseFromParent();
}

// Lays out the thread_local variables; their initial contents become one constant.
struct TlsBlock {
  Program::Impl& program;
  Types types;
  SmallVector<Constant*> parts;
  uint64_t size = 0;

  explicit TlsBlock(Program::Impl& p) : program(p), types(p.types) {}

  void pad(uint64_t bytes) {
    if (bytes == 0) return;
    parts.push_back(Constant::getNullValue(ArrayType::get(Type::getInt8Ty(*program.context), bytes)));
    size += bytes;
  }

  uint64_t add(GlobalVariable& g) {
    const DataLayout& layout = program.module->getDataLayout();
    const Align align = g.getAlign().value_or(layout.getPreferredAlign(&g));
    program.tls_align = std::max<std::size_t>(program.tls_align, align.value());
    pad(offsetToAlignment(size, align));
    const uint64_t offset = size;
    HEDDLE_ASSERT(isAligned(align, offset));
    parts.push_back(g.getInitializer());
    size += layout.getTypeAllocSize(g.getValueType());
    program.tls_variables.push_back(describe(g, types));
    program.tls_variables.back().address = offset;
    pad(Image::kRedZone);
    return offset;
  }

  void finish() {
    if (parts.empty()) return;
    Constant* contents = ConstantStruct::getAnon(*program.context, parts, /*Packed=*/true);
    HEDDLE_ASSERT(program.module->getDataLayout().getTypeAllocSize(contents->getType()) == size);
    auto* image = new GlobalVariable(*program.module, contents->getType(), true, GlobalValue::ExternalLinkage, contents,
                                     kTlsImage);
    image->setAlignment(Align(16));
  }
};

// Each use in code becomes __heddle_tls() + offset.
void replace_uses(GlobalVariable& g, uint64_t offset, Runtime& runtime) {
  convertUsersOfConstantsToInstructions({&g});
  for (Use& use : make_early_inc_range(g.uses())) {
    auto* user = dyn_cast<Instruction>(use.getUser());
    if (!user) continue;
    auto* phi = dyn_cast<PHINode>(user);
    IRBuilder<> b(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
    b.SetCurrentDebugLocation(user->getDebugLoc());
    Value* block = runtime.call<Entry::tls>(b);
    Value* address = b.CreatePtrAdd(block, runtime.size(offset));
    auto* intrinsic = dyn_cast<IntrinsicInst>(user);
    if (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address) {
      intrinsic->replaceAllUsesWith(address);
      intrinsic->eraseFromParent();
    } else {
      use.set(address);
    }
  }
}

// A use of the value in code, through constant expressions too.
const Instruction* first_use(const Value& v) {
  for (const User* user : v.users()) {
    if (const auto* i = dyn_cast<Instruction>(user)) return i;
    if (!isa<ConstantExpr>(user)) continue;
    if (const Instruction* i = first_use(*user)) return i;
  }
  return nullptr;
}

// The earliest place in the source, so that the message does not depend on the order of passes.
SiteId first_site(const Value& v, Sites& sites) {
  SiteId best = kNoSite;
  for (const User* user : v.users()) {
    const Instruction* i = dyn_cast<Instruction>(user);
    if (!i && isa<ConstantExpr>(user)) i = first_use(*user);
    if (!i) continue;
    const SiteId site = sites.of(*i);
    const auto key = [&](SiteId s) {
      const Site& place = sites.table()[s];
      return std::tie(place.file, place.line, place.column);
    };
    if (best == kNoSite || key(site) < key(best)) best = site;
  }
  return best;
}

bool is_personality(const Function& f) {
  return any_of(f.users(), [](const User* u) { return isa<Function>(u); });
}

}  // namespace

void describe_globals(Program::Impl& program) {
  Types types(program.types);
  for (GlobalVariable& g : program.module->globals()) {
    if (g.isDeclaration() || g.isThreadLocal() || g.getName().starts_with("llvm.")) continue;
    program.variables.push_back({g.getName().str(), describe(g, types)});
    program.variables.back().global.guarded = is_guarded(g);
  }
}

void lower_thread_locals(Program::Impl& program, Runtime& runtime, Sites& sites) {
  SmallVector<GlobalVariable*> variables;
  for (GlobalVariable& g : program.module->globals()) {
    if (!g.isThreadLocal()) continue;
    if (g.isDeclaration()) {
      if (g.use_empty()) continue;
      throw UserError(sites.where(first_site(g, sites)) + ": the thread-local variable '" + demangle(g.getName()) +
                      "' is not defined in any of the files");
    }
    variables.push_back(&g);
  }
  TlsBlock block(program);
  for (GlobalVariable* g : variables) {
    replace_uses(*g, block.add(*g), runtime);
    if (!g->use_empty())
      throw UserError("the address of the thread-local variable '" + demangle(g->getName()) +
                      "' is used as a constant");
    g->eraseFromParent();
  }
  block.finish();
}

void add_red_zones(Module& module) {
  for (GlobalVariable& g : make_early_inc_range(module.globals())) {
    if (is_guarded(g)) add_red_zone(g);
  }
}

void collect_externals(Program::Impl& program, Sites& sites) {
  for (const Function& f : *program.module) {
    if (!f.isDeclaration() || f.isIntrinsic() || is_runtime(&f) || f.use_empty() || is_personality(f)) continue;
    program.externals.push_back({f.getName().str(), first_site(f, sites), true, f.hasExternalWeakLinkage()});
  }
  for (const GlobalVariable& g : program.module->globals()) {
    if (!g.isDeclaration() || g.use_empty() || g.getName() == "__heddle_fuel") continue;
    program.externals.push_back({g.getName().str(), first_site(g, sites), false, g.hasExternalWeakLinkage()});
  }
}

}  // namespace heddle::frontend
