// Files that a child in the sandbox (native/sandbox.hpp) has its parent write: reports, saved executions.
//
// The child puts the contents into memory that both share and asks over a socket; the parent has the file
// written and answers. It writes no file but those that were named before the child began, whatever the program in it
// does.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

class Courier {
 public:
  // Before the child begins.
  explicit Courier(std::vector<std::string> files);
  ~Courier();
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;

  // In the parent: something to poll, or -1, and what to do when it is readable.
  int requests() const { return parent_; }
  void serve() const;

  // In the child.
  void send(const std::string& file, const std::string& text) const;

 private:
  std::string answer_to(const std::string& file) const;

  const std::vector<std::string> files_;
  const Courier* const outer_;
  int parent_ = -1;
  int child_ = -1;
  int contents_ = -1;
};

// In the child: from now on it cannot write files itself.
void leave_files_to_parent();
// Writes a file of the run, or has the parent do so. All of it, or the file stays as it was. Throws UserError.
void write_output(const std::string& file, const std::string& text);

}  // namespace heddle::cli
