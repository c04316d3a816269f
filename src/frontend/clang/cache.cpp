#include "frontend/clang/cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnfinished = "new-";
constexpr std::size_t kDigits = 32;

bool write_whole(const std::string& path, std::string_view text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  bool good = true;
  while (good && !text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    good = n > 0 || (n < 0 && errno == EINTR);
  }
  return close(fd) == 0 && good;
}

}  // namespace

std::string digest(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  char digits[kDigits + 1];
  std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return digits;
}

std::optional<std::string> read_whole(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::string text;
  struct stat status{};
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) text.resize(static_cast<std::size_t>(status.st_size));
  std::size_t size = 0;
  for (;;) {
    if (size == text.size()) text.resize(size + 4096);
    const ssize_t n = read(fd, text.data() + size, text.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      close(fd);
      text.resize(size);
      return n == 0 ? std::optional(std::move(text)) : std::nullopt;
    }
    size += static_cast<std::size_t>(n);
  }
}

Cache::Cache(fs::path folder, uint64_t limit) : folder_(std::move(folder)), limit_(limit) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!fs::is_directory(folder_, error)) folder_.clear();
}

Cache Cache::of_user() {
  // A relative path is to be ignored, says the standard that this variable comes from.
  const char* caches = std::getenv("XDG_CACHE_HOME");
  if (caches && *caches == '/') return Cache(fs::path(caches) / "heddle");
  const char* home = std::getenv("HOME");
  if (home && *home == '/') return Cache(fs::path(home) / ".cache" / "heddle");
  return {};
}

std::optional<std::string> Cache::get(const std::string& name) const {
  if (!on()) return std::nullopt;
  std::optional<std::string> text = read_whole(path_of(name));
  if (!text || text->size() < kDigits) return std::nullopt;
  if (digest(std::string_view(*text).substr(kDigits)) != std::string_view(*text).substr(0, kDigits))
    return std::nullopt;
  touch(name);
  text->erase(0, kDigits);
  return text;
}

void Cache::put(const std::string& name, std::string_view content) const {
  put_as_it_is(name, digest(content).append(content));
}

void Cache::put_as_it_is(const std::string& name, std::string_view content) const {
  if (!on()) return;
  const std::string path = new_path();
  if (write_whole(path, content))
    keep(path, name);
  else
    unlink(path.c_str());
}

std::string Cache::new_path() const {
  static std::atomic<unsigned> count = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return path_of(std::string(kUnfinished) + std::to_string(getpid()) + "-" + std::to_string(now) + "-" +
                 std::to_string(count++));
}

bool Cache::keep(const std::string& path, const std::string& name) const {
  if (std::rename(path.c_str(), path_of(name).c_str()) != 0) {
    unlink(path.c_str());
    return false;
  }
  trim();
  return true;
}

void Cache::touch(const std::string& name) const { utimensat(AT_FDCWD, path_of(name).c_str(), nullptr, 0); }

void Cache::trim() const {
  struct File {
    fs::file_time_type used;
    uint64_t size;
    fs::path path;
  };
  std::vector<File> files;
  uint64_t total = 0;
  std::error_code error;
  // Others may remove files meanwhile: what cannot be looked at is not there.
  for (fs::directory_iterator i(folder_, error), end; !error && i != end; i.increment(error)) {
    std::error_code gone;
    File file{i->last_write_time(gone), 0, i->path()};
    if (!gone) file.size = i->file_size(gone);
    if (gone) continue;
    const bool unfinished = file.path.filename().string().starts_with(kUnfinished);
    if (unfinished && fs::file_time_type::clock::now() - file.used > std::chrono::hours(1)) {
      fs::remove(file.path, gone);  // its run was killed
    } else if (!unfinished) {
      total += file.size;
      files.push_back(std::move(file));
    }
  }
  if (total <= limit_) return;
  std::ranges::sort(files, {}, &File::used);
  for (const File& file : files) {
    if (total <= limit_ / 4 * 3) break;
    fs::remove(file.path, error);
    total -= file.size;
  }
}

}  // namespace heddle::frontend
