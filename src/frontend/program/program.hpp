// A compiled program, as the rest of heddle sees it. Nothing of LLVM shows in this header.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "core/site.hpp"

namespace heddle {

// What becomes of a loop of the program.
struct LoopNote {
  SiteId site;
  std::string what;
};

// A function or variable that the program uses and does not define.
struct External {
  std::string name;
  SiteId site = kNoSite;  // its first use
  bool function = true;
  bool weak = false;  // may stay undefined, and is null then
};

class Program {
 public:
  struct Impl;  // program/impl.hpp

  explicit Program(std::unique_ptr<Impl> impl);
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  const std::vector<External>& externals() const;
  const SiteTable& sites() const;
  const std::vector<LoopNote>& loops() const;
  // What the program was made of, all files as one. The same comes of it with the same options, on another machine,
  // too. Empty unless it was asked for.
  const std::string& bitcode() const;

  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle
