#include "cli/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.hpp"

namespace heddle::cli {
namespace {

// The file itself, if the name is a link, even to a file that is not there yet.
std::filesystem::path target_of(const std::string& file) {
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(file, error);
  for (int links = 0; links < 40 && std::filesystem::is_symlink(path, error); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target;
}

// A terminal, a pipe: nothing that could be replaced.
bool is_stream(const std::string& file) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

// Before it takes the place of another file: or a crash of the machine might leave neither.
void reach_disk(const std::string& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

[[noreturn]] void cannot_write(const std::string& file, int error) {
  throw UserError(fmt::format("{}: cannot be written: {}", file, std::strerror(error)));
}

}  // namespace

void require_file(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw UserError(file + ": no such file");
  if (std::filesystem::is_directory(status)) throw UserError(file + ": is a folder; give a file in it");
  if (::access(file.c_str(), R_OK) != 0) throw UserError(file + ": " + std::strerror(errno));
}

std::string contents_of(const std::string& file) {
  require_file(file);
  std::ifstream in(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw UserError(file + ": cannot be read");
  return text;
}

void require_writable(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw UserError(file + ": is a folder; give a file in it");
  if (std::filesystem::exists(file, ignored) && ::access(file.c_str(), W_OK) != 0) cannot_write(file, errno);
  if (is_stream(file)) return;
  const std::filesystem::path folder = target_of(file).parent_path();
  if (::access(folder.c_str(), W_OK | X_OK) != 0) cannot_write(file, errno);
  if (!std::filesystem::is_directory(folder, ignored)) cannot_write(file, ENOTDIR);
}

void write_whole(const std::string& file, const std::string& text) {
  const bool stream = is_stream(file);
  const std::string target = stream ? file : target_of(file).string();
  const std::string draft = stream ? file : fmt::format("{}.{}.draft", target, getpid());
  errno = 0;
  std::ofstream out(draft, std::ios::binary);
  out << text;
  out.close();
  if (out && !stream) reach_disk(draft);
  if (out && (stream || std::rename(draft.c_str(), target.c_str()) == 0)) return;
  const int error = errno;
  if (!stream) std::remove(draft.c_str());
  cannot_write(file, error);
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return target_of(a) == target_of(b) || std::filesystem::equivalent(a, b, ignored);
}

}  // namespace heddle::cli
