#include "frontend/program/missing.hpp"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/words.hpp"

namespace heddle::frontend {
namespace {

// Well-known libraries by how their names begin.
struct Origin {
  std::string_view names;
  const char* remedy;
};

constexpr Origin kOrigins[] = {
    {"testing::*", "libgtest is precompiled: pass its sources (gtest-all.cc)"},
    {"benchmark::*", "libbenchmark is precompiled: pass its sources"},
    {"Catch::*", "libCatch2 is precompiled: pass its sources"},
    {"doctest::*", "define DOCTEST_CONFIG_IMPLEMENT in one of the files"},
    {"fmt::*", "libfmt is precompiled: pass -DFMT_HEADER_ONLY after --, or its sources"},
    {"spdlog::*", "libspdlog is precompiled: pass -DSPDLOG_HEADER_ONLY after --, or its sources"},
    {"boost::*", "this part of Boost is precompiled: pass its sources"},
    {"absl::*", "Abseil is precompiled: pass its sources"},
    {"tbb::*", "libtbb is precompiled: pass its sources"},
    {"folly::*", "libfolly is precompiled: pass its sources"},
    {"cds::*", "libcds is precompiled: pass its sources"},
    {"ck_*", "libck is precompiled: pass its sources"},
    {"urcu_* rcu_* cds_* _cds_*", "liburcu is precompiled: pass its sources, or -D_LGPL_SOURCE after --"},
    {"uv_*", "libuv is precompiled: pass its sources"},
    {"g_*", "GLib is precompiled: pass its sources"},
    {"omp_* GOMP_* __kmpc_*", "OpenMP is not supported: start threads in the source"},
};

// A template's name begins with the type that it returns, so the name of the library may stand after a space.
const char* remedy_for(const std::string& name) {
  const std::string_view call = std::string_view(name).substr(0, name.find('('));
  for (const Origin& origin : kOrigins) {
    for (std::size_t at = 0; at != call.npos; at = call.find(' ', at + 1)) {
      if (fit(call.substr(at == 0 ? 0 : at + 1), origin.names) != WordFit::none) return origin.remedy;
    }
  }
  return "define it in one of the files, or pass the sources of its library";
}

}  // namespace

void Missing::add(const External& external, const std::string& refused) {
  const Site& site = sites_[user_frame(sites_, external.site)];
  const std::string line = site.line == 0 ? "" : ":" + std::to_string(site.line);  // none: a destructor of a variable
  const std::string where = site.file.empty() ? "" : site.file + line + ": ";
  const std::string name = llvm::demangle(external.name);
  if (!refused.empty())
    lines_.push_back(where + "'" + name + "' is not supported: " + refused);
  else
    lines_.push_back(where + (external.function ? "call of undefined function '" : "use of undefined variable '") +
                     name + "': " + remedy_for(name));
}

void Missing::refuse() const {
  if (lines_.empty()) return;
  if (lines_.size() == 1) throw UserError(lines_[0]);
  std::string text = std::to_string(lines_.size()) + " things that the program uses are missing:";
  for (const std::string& line : lines_) text += "\n  " + line;
  throw UserError(text);
}

bool is_compiled(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return name.ends_with(".o") || name.ends_with(".a") || name.ends_with(".so") || name.find(".so.") != name.npos;
}

}  // namespace heddle::frontend
