// The work queue of one process, which may be saved and loaded.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "explore/share/work_queue.hpp"
#include "explore/share/work_tree.hpp"

namespace heddle {

class MemoryQueue : public OwnQueue {
 public:
  // `tree`: for parts that are not independent.
  explicit MemoryQueue(std::unique_ptr<WorkTree> tree = nullptr) : tree_(std::move(tree)) {}

  std::optional<Work> claim() override;
  bool report(const Report& report) override;
  void tell_trouble(const std::string& token, const std::string& message) override;
  void give_back(const std::string& token) override;
  Look look(unsigned waiting) override;

  bool has_begun(uint64_t number, const std::string& before) override;
  void begin(const Beginning& beginning) override;
  std::string settings() override { return settings_.back(); }
  Trouble trouble() override { return trouble_; }
  void pause() override { phase_ = Look::Phase::paused; }
  std::optional<std::string> remembered(uint64_t number, const std::string& before) override;
  void remember(uint64_t number, const std::string& before, const std::string& what) override;
  void save(bool now) override {
    if (on_save) on_save(now);
  }

  std::function<void(bool now)> on_save;

  // All of it. What is leased counts as queued.
  std::string bytes() const;
  // Throws std::runtime_error.
  void load(std::string_view bytes);

 private:
  struct Waiting {
    std::string bundle;
    uint64_t losses = 0;
    WorkTree::Node above = WorkTree::kNone;
  };
  struct Lease {
    Waiting what;
    uint64_t number = 0;   // of the latest report
    uint64_t version = 0;  // of the settings that its slice has begun with
  };
  struct Memory {
    std::string before;
    std::string what;
  };

  std::size_t waiting() const { return queued_.size() + (tree_ ? tree_->waiting() : 0); }

  std::unique_ptr<WorkTree> tree_;
  Look::Phase phase_ = Look::Phase::none;
  uint64_t number_ = 0;
  std::string before_;
  std::vector<std::string> settings_;  // all versions
  Part part_;
  std::deque<Waiting> queued_;
  std::map<std::string, Lease> leases_;
  Trouble trouble_;
  std::map<uint64_t, Memory> memories_;
  uint64_t tokens_ = 0;
  uint64_t losses_ = 0;
};

}  // namespace heddle
