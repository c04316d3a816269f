#include "frontend/load/load.hpp"

#include <dlfcn.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/ExecutionEngine/JITEventListener.h>
#include <llvm/ExecutionEngine/JITSymbol.h>
#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/Memory.h>
#include <llvm/Support/raw_ostream.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "core/assert.hpp"
#include "core/error.hpp"
#include "frontend/load/code_memory.hpp"
#include "frontend/program/impl.hpp"
#include "frontend/program/missing.hpp"
#include "image/entry_points.hpp"
#include "image/region.hpp"

namespace heddle {

using frontend::Missing;

namespace {

// The addresses that the image needs, as a constant in the program itself: local symbols need no names then, and
// the linker fills it in.
constexpr llvm::StringLiteral kDirectory = "__heddle_directory";

struct Directory {
  std::vector<llvm::Constant*> entries;

  // Returns the entry's position.
  std::size_t add(llvm::Constant* c) {
    entries.push_back(c);
    return entries.size() - 1;
  }

  void emit(llvm::Module& module) const {
    auto* type = llvm::ArrayType::get(llvm::PointerType::get(module.getContext(), 0), entries.size());
    new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::ExternalLinkage,
                             llvm::ConstantArray::get(type, entries), kDirectory);
  }
};

// llvm.global_ctors by priority, and within one in the order of the files.
std::vector<llvm::Function*> take_constructors(llvm::Module& module) {
  llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global_ctors");
  if (!list) return {};
  std::vector<std::pair<uint64_t, llvm::Function*>> found;
  if (const auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer())) {
    for (const llvm::Use& use : entries->operands()) {
      const auto* entry = llvm::cast<llvm::ConstantStruct>(use);
      auto* f = llvm::dyn_cast<llvm::Function>(entry->getOperand(1)->stripPointerCasts());
      if (f) found.emplace_back(llvm::cast<llvm::ConstantInt>(entry->getOperand(0))->getZExtValue(), f);
    }
  }
  list->eraseFromParent();
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<llvm::Function*> functions;
  for (const auto& [priority, f] : found) functions.push_back(f);
  return functions;
}

// With the few registers of x86-64, the time of the register allocator grows with the square of a block's calls; and a
// call is what most accesses have become.
bool has_huge_block(const llvm::Module& module) {
  constexpr std::size_t kHuge = 1000;
  return llvm::any_of(module, [](const llvm::Function& f) {
    return llvm::any_of(f, [](const llvm::BasicBlock& block) { return block.size() > kHuge; });
  });
}

llvm::SmallVector<char, 0> generate_code(llvm::Module& module, llvm::TargetMachine& target) {
  if (target.getTargetTriple().isX86() && has_huge_block(module)) target.setOptLevel(llvm::CodeGenOptLevel::None);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream out(object);
  llvm::legacy::PassManager passes;
  // As in the front end: no function of the C library is special.
  llvm::TargetLibraryInfoImpl library(target.getTargetTriple());
  library.disableAllFunctions();
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  if (target.addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile, /*DisableVerify=*/true)) {
    throw UserError("this LLVM cannot write object code");
  }
  passes.run(module);
  return object;
}

// A jump to each function outside the program, in the image: the address of such a function, as the program sees it, is
// the same in every run, wherever the real one lies.
class Gates {
 public:
  explicit Gates(std::size_t count) : size_((count * kSize + region::kPage - 1) & ~(region::kPage - 1)) {
    if (count != 0) next_ = start_ = static_cast<std::byte*>(region::map_image(size_));
  }

  void* add(void* target) {
#if defined(__x86_64__)
    constexpr uint8_t kJump[8] = {0xff, 0x25, 2, 0, 0, 0, 0x66, 0x90};  // jmp *2(%rip); a no-op of two bytes
#elif defined(__aarch64__)
    constexpr uint32_t kJump[2] = {0x58000050, 0xd61f0200};  // ldr x16, .+8; br x16
#endif
    static_assert(sizeof kJump == kSize / 2 && sizeof target == kSize / 2);
    std::byte* const gate = next_;
    HEDDLE_ASSERT(gate != nullptr && gate + kSize <= start_ + size_);
    std::memcpy(gate, kJump, sizeof kJump);
    std::memcpy(gate + sizeof kJump, &target, sizeof target);
    next_ += kSize;
    return gate;
  }

  void close() const {
    if (size_ == 0) return;
    llvm::sys::Memory::InvalidateInstructionCache(start_, size_);
    if (mprotect(start_, size_, PROT_READ | PROT_EXEC) != 0) throw UserError("the program cannot be put in memory");
  }

 private:
  static constexpr std::size_t kSize = 16;

  std::size_t size_;
  std::byte* start_ = nullptr;
  std::byte* next_ = nullptr;
};

// Answers the linker from a table made beforehand. A name that is not in it was brought in by code generation
// (memcpy, fmod, the unwinder): the real library has it.
class Symbols : public llvm::JITSymbolResolver {
 public:
  Symbols(const Program::Impl& program, const Resolver& resolve) {
    for (const abi::Binding& b : abi::bindings()) addresses_[b.symbol] = b.address;
    Gates gates(static_cast<std::size_t>(std::ranges::count_if(program.externals, &External::function)));
    Missing missing(program.sites);
    for (const External& e : program.externals) {
      const Symbol symbol = resolve(e.name);
      if (!symbol.address && !e.weak) missing.add(e, symbol.refused);
      addresses_[e.name] = e.function && symbol.address ? gates.add(symbol.address) : symbol.address;
      uses_ |= symbol.uses;
    }
    missing.refuse();
    gates.close();
  }

  const Image::Uses& uses() const { return uses_; }

  void lookup(const LookupSet& names, OnResolvedFunction done) override {
    LookupResult result;
    for (llvm::StringRef name : names) {
      const auto known = addresses_.find(name);
      void* address = known != addresses_.end() ? known->second : dlsym(RTLD_DEFAULT, name.str().c_str());
      if (known == addresses_.end() && !address) {
        throw UserError("the program needs '" + llvm::demangle(name) + "', which heddle does not have");
      }
      result[name] = llvm::JITEvaluatedSymbol(llvm::pointerToJITTargetAddress(address), llvm::JITSymbolFlags::Exported);
    }
    done(std::move(result));
  }
  // Weak symbols of the object (DW.ref.…, for the unwinder) are defined by it: there is no other object.
  llvm::Expected<LookupSet> getResponsibilitySet(const LookupSet& names) override { return names; }
  bool allowsZeroSymbols() override { return true; }  // weak functions without a definition

 private:
  llvm::StringMap<void*> addresses_;
  Image::Uses uses_;
};

// The positions in the directory of what the image needs.
struct Plan {
  std::size_t main = 0;
  std::vector<std::size_t> constructors;
  std::vector<std::pair<std::size_t, const Program::Impl::Variable*>> variables;
  struct Function {
    std::size_t position;
    const Program::Impl::Function* function;
    bool ignores_argument;
  };
  std::vector<Function> functions;
  bool looks = false;
  std::vector<std::pair<std::size_t, uint32_t>> conditions;  // and how many values each knows
  std::size_t tls = 0;
  std::size_t tls_size = 0;
};

Plan make_plan(Program::Impl& program) {
  llvm::Module& module = *program.module;
  Directory directory;
  Plan plan;
  plan.main = directory.add(module.getFunction("main"));
  for (llvm::Function* f : take_constructors(module)) plan.constructors.push_back(directory.add(f));
  // What O2 has removed is not there to be seen; what it has only kept for itself (a local symbol) is.
  for (const Program::Impl::Variable& v : program.variables) {
    llvm::GlobalVariable* g = module.getNamedGlobal(v.symbol);
    if (g && !g->isDeclaration()) plan.variables.emplace_back(directory.add(g), &v);
  }
  for (const Program::Impl::Function& f : program.functions) {
    llvm::Function* defined = module.getFunction(f.symbol);
    if (!defined || defined->isDeclaration()) continue;
    const bool ignores = defined->arg_size() > 0 && defined->getArg(0)->use_empty();
    plan.functions.push_back({directory.add(defined), &f, ignores});
  }
  plan.looks = program.looks;
  for (const Program::Impl::Condition& c : program.conditions) {
    llvm::Function* defined = module.getFunction(c.symbol);
    HEDDLE_ASSERT(defined != nullptr);
    plan.conditions.emplace_back(directory.add(defined), c.known);
  }
  if (llvm::GlobalVariable* tls = module.getNamedGlobal(kTlsImage)) {
    plan.tls = directory.add(tls);
    plan.tls_size = module.getDataLayout().getTypeAllocSize(tls->getValueType());
  }
  directory.emit(module);
  return plan;
}

void fill(Image& image, const Plan& plan, void* const* directory) {
  image.main = directory[plan.main];
  HEDDLE_ASSERT(image.main != nullptr);
  for (std::size_t c : plan.constructors) image.constructors.push_back(reinterpret_cast<void (*)()>(directory[c]));
  for (const auto& [position, variable] : plan.variables) {
    image.globals.push_back(variable->global);
    image.globals.back().address = reinterpret_cast<Address>(directory[position]);
  }
  for (const auto& [position, function, ignores] : plan.functions) {
    image.functions.push_back({function->name, reinterpret_cast<Address>(directory[position]), ignores});
  }
  std::ranges::stable_sort(image.functions, {}, &Image::Function::address);
  image.looks = plan.looks;
  for (const auto& [position, known] : plan.conditions)
    image.conditions.push_back({reinterpret_cast<Condition::Function>(directory[position]), known});
  if (plan.tls_size > 0) {
    const auto* initial = static_cast<const std::byte*>(directory[plan.tls]);
    image.tls.initial.assign(initial, initial + plan.tls_size);
  }
}

}  // namespace

Image load(Program program, const Resolver& resolve) {
  Program::Impl& impl = program.impl();
  Symbols symbols(impl, resolve);
  const Plan plan = make_plan(impl);
  Image image;
  const bool unwinds = std::ranges::any_of(*impl.module, [](const auto& f) { return f.hasPersonalityFn(); });
  image.main_parameters = static_cast<unsigned>(impl.module->getFunction("main")->arg_size());

  const llvm::SmallVector<char, 0> code = generate_code(*impl.module, *impl.target);
  auto object = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(code.data(), code.size()), "program"));
  if (!object) throw UserError("the generated code cannot be read: " + llvm::toString(object.takeError()));

  auto memory = std::make_shared<JitMemory>(**object);
  llvm::RuntimeDyld linker(*memory, symbols);
  const std::unique_ptr<llvm::RuntimeDyld::LoadedObjectInfo> loaded = linker.loadObject(**object);
  linker.resolveRelocations();
  linker.registerEHFrames();
  if (linker.hasError()) throw UserError("the program cannot be linked: " + linker.getErrorString().str());
  image.uses = symbols.uses();
  image.uses.unwinds = unwinds;
  image.uses.undone_rounds = impl.undoes;
  image.uses.waiting_loops = impl.waits;
  fill(image, plan, static_cast<void* const*>(linker.getSymbolLocalAddress(kDirectory)));
  std::string error;
  if (memory->finalizeMemory(&error)) throw UserError("the program cannot be put in memory: " + error);

  if (impl.for_debugger && loaded)
    llvm::JITEventListener::createGDBRegistrationListener()->notifyObjectLoaded(1, **object, *loaded);

  image.tls.align = impl.tls_align;
  image.tls.variables = std::move(impl.tls_variables);
  HEDDLE_ASSERT(std::ranges::all_of(image.tls.variables, [&](const Image::Global& v) {
    return v.address + v.size + Image::kRedZone <= image.tls.initial.size();
  }));
  HEDDLE_ASSERT(std::ranges::is_sorted(image.tls.variables, {}, &Image::Global::address));
  image.sites = std::move(impl.sites);
  image.locals = std::move(impl.locals);
  image.allocations = std::move(impl.allocations);
  image.types = std::move(impl.types);
  if (memory->writable_size() > 0) image.writable.push_back({memory->writable(), memory->writable_size()});
  image.keep_alive = memory;
  return image;
}

}  // namespace heddle
