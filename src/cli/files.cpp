#include "cli/files.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.hpp"

namespace heddle::cli {

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

}  // namespace heddle::cli
