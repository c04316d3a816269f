#include "frontend/compile.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>

#include <filesystem>
#include <future>

#include "core/assert.hpp"
#include "core/error.hpp"
#include "frontend/clang/arguments.hpp"
#include "frontend/clang/cache.hpp"
#include "frontend/clang/clang.hpp"
#include "frontend/instrument/instrument.hpp"
#include "frontend/load/debugger.hpp"
#include "frontend/passes.hpp"
#include "frontend/program/impl.hpp"
#include "frontend/rewrite/mark.hpp"
#include "frontend/rewrite/parts.hpp"
#include "frontend/rewrite/real_machine.hpp"
#include "frontend/rewrite/rewrite.hpp"

namespace heddle::frontend {
namespace {

// The same code on every machine of a kind: no features of the host.
#if defined(__x86_64__)
constexpr const char* kMachine = "x86-64";
constexpr const char* kTriple = "x86_64-pc-linux-gnu";
constexpr const char* kCpu = "x86-64";
constexpr const char* kFeatures = "+cx16";
#elif defined(__aarch64__)
constexpr const char* kMachine = "AArch64";
constexpr const char* kTriple = "aarch64-unknown-linux-gnu";
constexpr const char* kCpu = "generic";
constexpr const char* kFeatures = "";
#endif

std::unique_ptr<llvm::TargetMachine> make_target() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();  // for inline assembly that only computes
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(kTriple, error);
  if (!target) throw UserError(std::string("this LLVM cannot make ") + kMachine + " code: " + error);
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(kTriple, kCpu, kFeatures, llvm::TargetOptions(), llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

// Collects LLVM's error messages; its warnings are about code that clang has already spoken about.
struct Diagnostics : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream out(text);
    llvm::DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
    return true;
  }
  std::string text;
};

std::unique_ptr<llvm::Module> read_bitcode(const std::string& file, const std::string& bitcode,
                                           llvm::LLVMContext& context, const llvm::DataLayout& layout) {
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, file), context);
  if (!module) throw UserError(file + ": clang's code cannot be read: " + llvm::toString(module.takeError()));
  if ((*module)->getDataLayout() != layout) {
    throw UserError(file + ": the arguments after -- make code for another machine than " + kMachine +
                    " Linux, where the program has to run: leave them out");
  }
  return std::move(*module);
}

std::unique_ptr<llvm::Module> read_llvm_file(const std::string& file, llvm::LLVMContext& context,
                                             const llvm::DataLayout& layout) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, diagnostic, context);
  if (!module) {
    throw UserError(file + ":" + std::to_string(std::max(0, diagnostic.getLineNo())) + ": " +
                    diagnostic.getMessage().str());
  }
  std::string problem;
  llvm::raw_string_ostream out(problem);
  if (llvm::verifyModule(*module, &out)) throw UserError(file + ": not valid LLVM code: " + problem);
  if (module->getDataLayoutStr().empty()) module->setDataLayout(layout);
  if (module->getDataLayout() != layout)
    throw UserError(file + ": made for another machine than " + kMachine + " Linux");
  return module;
}

void link_files(Program::Impl& program, const CompileRequest& request, const std::vector<std::string>& bitcode) {
  auto handler = std::make_unique<Diagnostics>();
  HEDDLE_ASSERT(bitcode.size() == request.files.size());
  const std::string& errors = handler->text;
  program.context->setDiagnosticHandler(std::move(handler));
  for (std::size_t i = 0; i < request.files.size(); ++i) {
    const std::string& file = request.files[i];
    std::unique_ptr<llvm::Module> module =
        language_of(file) == Language::llvm
            ? read_llvm_file(file, *program.context, program.target->createDataLayout())
            : read_bitcode(file, bitcode[i], *program.context, program.target->createDataLayout());
    if (!program.module) {
      program.module = std::move(module);
    } else if (llvm::Linker::linkModules(*program.module, std::move(module))) {
      throw UserError(file + " cannot be linked with the files before it: " + errors);
    }
  }
}

// The arguments that the user gives for all files come last, so that they win.
std::vector<ClangJob> jobs_of(const CompileRequest& request) {
  std::vector<ClangJob> jobs;
  HEDDLE_ASSERT(request.build.empty() || request.build.size() == request.files.size());
  for (std::size_t i = 0; i < request.files.size(); ++i) {
    ClangJob job{request.files[i], {}};
    if (!request.build.empty()) {
      job.args = arguments_of_build(request.build[i].words);
      job.directory = request.build[i].folder;
      job.file = std::filesystem::absolute(job.file).string();
    }
    job.args.insert(job.args.end(), request.clang_args.begin(), request.clang_args.end());
    jobs.push_back(std::move(job));
  }
  return jobs;
}

// The module as another process gets it. What becomes of a module may depend on what bitcode does not tell, such as the
// order of uses; so this process, too, goes on with what it has written.
void write_bitcode(Program::Impl& program) {
  llvm::raw_string_ostream out(program.bitcode);
  llvm::WriteBitcodeToFile(*program.module, out);
  out.flush();
  // In a context that knows the types already they would get other names.
  auto context = std::make_unique<llvm::LLVMContext>();
  program.module = read_bitcode("the program", program.bitcode, *context, program.target->createDataLayout());
  program.context = std::move(context);
}

// From the files, or from what another process has made of them.
void make_module(Program::Impl& program, const CompileRequest& request) {
  if (!request.bitcode.empty()) {
    program.target = make_target();
    program.module = read_bitcode("the program", request.bitcode, *program.context, program.target->createDataLayout());
    return;
  }
  require_files(request.files);
  check_clang_arguments(request.clang_args);
  const std::vector<ClangJob> jobs = jobs_of(request);
  const Cache cache = request.cache ? Cache::of_user() : Cache();
  // LLVM gets ready while clang runs.
  auto bitcode = std::async(std::launch::async, [&] { return run_clang(jobs, cache); });
  program.target = make_target();
  link_files(program, request, bitcode.get());
  if (request.portable) write_bitcode(program);
}

void require_main(const llvm::Module& module, const std::vector<std::string>& files) {
  const llvm::Function* main = module.getFunction("main");
  if (main && !main->isDeclaration()) return;
  std::string names = files.empty() ? "the program" : files[0];
  for (std::size_t i = 1; i < files.size(); ++i) names += ", " + files[i];
  throw UserError(names + ": there is no main function; heddle runs main to start the test");
}

// What the linker of a real program would define.
void define_linker_symbols(llvm::Module& module) {
  llvm::GlobalVariable* handle = module.getNamedGlobal("__dso_handle");
  if (!handle || !handle->isDeclaration()) return;
  handle->setInitializer(llvm::Constant::getNullValue(handle->getValueType()));
  handle->setConstant(true);
}

// No library function is special: passes that do not ask TargetLibraryInfo, such as ExpandMemCmp, see it here. But a
// pause throws nothing, whatever its declaration says.
void mark_library_functions(llvm::Module& module, const PausingOf& pausing) {
  for (llvm::Function& f : module) {
    if (!f.isDeclaration() || f.isIntrinsic()) continue;
    f.addFnAttr(llvm::Attribute::NoBuiltin);
    const Pausing how = pausing ? pausing(f.getName()) : Pausing::none;
    if (how == Pausing::yields || how == Pausing::sleeps) f.setDoesNotThrow();
  }
}

// What LLVM's verifier says of our work; empty if it is content.
[[maybe_unused]] std::string problem(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  return llvm::verifyModule(module, &out) ? "invalid LLVM code: " + text : "";
}

}  // namespace
}  // namespace heddle::frontend

namespace heddle {

Program compile(const CompileRequest& request) {
  using namespace frontend;
  auto program = std::make_unique<Program::Impl>();
  make_module(*program, request);
  llvm::Module& module = *program->module;
  require_main(module, request.files);
  take_shortcuts(module);
  lock_odd_atomics(module);
  link_parts(module, request.library);
  mark_library_functions(module, request.pausing);
  program->for_debugger = request.for_debugger;
  mark(module, {.volatile_is_relaxed = request.volatile_is_relaxed, .keep_variables = request.for_debugger});
  hide_machine(module);
  HEDDLE_ASSERT_WHOLE(problem(module));
  simplify(module, *program->target);
  HEDDLE_ASSERT_WHOLE(problem(module));
  define_linker_symbols(module);
  instrument(*program, request);
  HEDDLE_ASSERT_WHOLE(problem(module));
  if (request.for_debugger)
    keep_variables_on_stack(module);
  else
    optimise(module, *program->target);
  HEDDLE_ASSERT_WHOLE(problem(module));
  return Program(std::move(program));
}

std::string print_ir(const Program& program) {
  std::string text;
  llvm::raw_string_ostream out(text);
  program.impl().module->print(out, nullptr);
  return text;
}

}  // namespace heddle
