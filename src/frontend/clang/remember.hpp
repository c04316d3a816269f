// What clang has made of a file, remembered from run to run.
//
// It is found again by a key: clang itself, its command, the folder, the environment that it looks at, and the text of
// the file. It holds only as long as every file that clang has read is the same: each is kept with its stamp and the
// hash of its content, which is looked at when the stamp is another. And as long as no header has appeared that clang
// has looked for where there was none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/clang/absent.hpp"
#include "frontend/clang/cache.hpp"
#include "frontend/clang/stamp.hpp"

namespace heddle::frontend {

struct Input {
  std::string path;
  Stamp stamp;
  std::string hash;
};

struct Inputs {
  std::vector<Input> files;
  std::vector<Absent> absent;
};

// A run of clang.
struct ClangRun {
  std::string list;                 // of the files that it has read, from -MD
  std::string folder;               // where it ran; nothing: here
  std::vector<std::string> search;  // where it looks for headers
  uint64_t start;                   // file_time()
};

// The files that it has read, without those of the cache, as they are now. None if one of them cannot be read, or may
// have changed since the start: then it is not known what clang has seen. `lookups`: those of its arguments.
std::optional<Inputs> inputs_of(const ClangRun& run, const Cache& cache, Lookups lookups);
// What says which compiler this is, and what it does beside its command: the program, and variables of the environment.
std::string compiler_identity(const std::string& program);

struct Made {
  Inputs inputs;
  std::string code;
  std::string said;  // on stderr
};

std::optional<Made> recall(const Cache& cache, const std::string& key);
void remember(const Cache& cache, const std::string& key, const Made& made);

}  // namespace heddle::frontend
