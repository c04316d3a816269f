// What clang has made of a file, remembered from run to run.
//
// It is found again by a key: clang itself, its command, the folder, the environment that it looks at, and the text of
// the file. It holds only as long as every file that clang has read is the same: each is kept with its stamp and the
// hash of its content, which is looked at when the stamp is another. What is not noticed: a new header that would be
// found before one that was read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/clang/cache.hpp"

namespace heddle::frontend {

// What the file system says of a file.
struct Stamp {
  uint64_t size = 0, inode = 0, modified = 0, changed = 0;  // times in nanoseconds
  bool operator==(const Stamp&) const = default;
};
std::optional<Stamp> stamp_of(const std::string& path);

struct Input {
  std::string path;
  Stamp stamp;
  std::string hash;
};

// The files that clang lists with -MD, without those of the cache, as they are now. None if one of them cannot be read,
// or may have changed since `start`: then it is not known what clang has seen.
std::optional<std::vector<Input>> inputs_of(const std::string& list, const std::string& folder, const Cache& cache,
                                            uint64_t start);
// The time by which the file system stamps files.
uint64_t file_time();

// What says which compiler this is, and what it does beside its command: the program, and variables of the environment.
std::string compiler_identity(const std::string& program);

struct Made {
  std::vector<Input> inputs;
  std::string code;
  std::string said;  // on stderr
};

std::optional<Made> recall(const Cache& cache, const std::string& key);
void remember(const Cache& cache, const std::string& key, const Made& made);

}  // namespace heddle::frontend
