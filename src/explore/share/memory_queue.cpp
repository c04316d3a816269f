#include "explore/share/memory_queue.hpp"

#include "core/assert.hpp"
#include "explore/share/queue_bytes.hpp"

namespace heddle {

std::optional<Work> MemoryQueue::claim() {
  if (phase_ != Look::Phase::working) return std::nullopt;
  if (queued_.empty() && tree_ != nullptr) {
    if (std::optional<WorkTree::Item> item = tree_->take())
      queued_.push_back({.bundle = bytes_of(Bundle{std::move(item->bytes)}), .above = item->above});
  }
  if (queued_.empty()) return std::nullopt;
  HEDDLE_ASSERT(!settings_.empty());
  const uint64_t version = settings_.size() - 1;
  std::string token = std::to_string(++tokens_);
  Lease& lease = leases_[token] = {std::move(queued_.front()), 0, version};
  queued_.pop_front();
  return Work{std::move(token), lease.what.bundle, settings_.back(), version};
}

bool MemoryQueue::report(const Report& report) {
  const auto it = leases_.find(report.token);
  if (it == leases_.end() || phase_ != Look::Phase::working) return false;
  Lease& lease = it->second;
  if (lease.number >= report.number) return true;
  HEDDLE_ASSERT(report.version < settings_.size());
  if (!report.learnt.empty()) {
    if (report.version + 1 != settings_.size()) {
      queued_.push_front(std::move(lease.what));  // this is no loss
      leases_.erase(it);
      return false;
    }
    settings_.push_back(report.learnt);
  }
  HEDDLE_ASSERT(report.told.empty() || tree_ != nullptr);
  add(part_, report.part);
  for (const std::string& bundle : report.given) queued_.push_back({bundle});
  WorkTree::Node above = lease.what.above;
  if (!report.told.empty()) above = tree_->told(above, report.told, !report.rest.empty());
  if (report.rest.empty()) {
    leases_.erase(it);
    if (leases_.empty() && waiting() == 0) phase_ = Look::Phase::done;
  } else {
    lease = {{.bundle = report.rest, .above = above},
             report.number,
             report.learnt.empty() ? report.version : settings_.size() - 1};
  }
  return true;
}

void MemoryQueue::tell_trouble(const std::string& token, const std::string& message) {
  const auto it = leases_.find(token);
  if (it == leases_.end() || phase_ != Look::Phase::working) return;
  HEDDLE_ASSERT(it->second.version < settings_.size());
  trouble_ = {it->second.what.bundle, settings_[it->second.version], message};
  phase_ = Look::Phase::trouble;
}

void MemoryQueue::give_back(const std::string& token) {
  const auto it = leases_.find(token);
  if (it == leases_.end()) return;
  ++losses_;
  Waiting lost = std::move(it->second.what);
  const std::string& settings = settings_[it->second.version];
  if (++lost.losses >= kMostLosses && phase_ == Look::Phase::working) {
    trouble_ = {lost.bundle, settings, "each process that explores a part of the program dies"};
    phase_ = Look::Phase::trouble;
  }
  leases_.erase(it);
  HEDDLE_ASSERT(phase_ != Look::Phase::done);
  queued_.push_front(std::move(lost));
}

Look MemoryQueue::look(unsigned waiting) {
  return {.phase = phase_,
          .part = part_,
          .queued = this->waiting(),
          .leased = leases_.size(),
          .hungry = waiting > this->waiting() ? waiting - this->waiting() : 0,
          .losses = losses_};
}

bool MemoryQueue::has_begun(uint64_t number, const std::string& before) {
  if (settings_.empty() || number_ != number || before_ != before) return false;
  phase_ = waiting() == 0 && leases_.empty() ? Look::Phase::done : Look::Phase::working;
  return true;
}

void MemoryQueue::begin(const Beginning& beginning) {
  number_ = beginning.number;
  before_ = beginning.before;
  settings_.assign(1, beginning.settings);
  part_ = beginning.part;
  queued_.assign(1, {beginning.bundle});
  leases_.clear();
  if (tree_ != nullptr) tree_->clear();
  phase_ = Look::Phase::working;
}

std::optional<std::string> MemoryQueue::remembered(uint64_t number, const std::string& before) {
  const auto it = memories_.find(number);
  if (it == memories_.end() || it->second.before != before) return std::nullopt;
  return it->second.what;
}

void MemoryQueue::remember(uint64_t number, const std::string& before, const std::string& what) {
  memories_[number] = {before, what};
}

std::string MemoryQueue::bytes() const {
  QueueWriter out;
  out.number(number_);
  out.text(before_);
  out.text(settings_.empty() ? "" : settings_.back());
  out.part(part_);
  out.text(tree_ != nullptr ? tree_->bytes() : "");
  out.number(leases_.size() + queued_.size());
  const auto put = [&](const Waiting& w) {
    out.text(w.bundle);
    out.number(w.above);
  };
  for (const auto& [token, lease] : leases_) put(lease.what);
  for (const Waiting& w : queued_) put(w);
  out.number(memories_.size());
  for (const auto& [number, memory] : memories_) {
    out.number(number);
    out.text(memory.before);
    out.text(memory.what);
  }
  return out.bytes();
}

void MemoryQueue::load(std::string_view bytes) {
  QueueReader in(bytes);
  number_ = in.number();
  before_ = in.text();
  settings_.assign(1, in.text());
  if (settings_[0].empty()) settings_.clear();
  part_ = in.part();
  const std::string tree = in.text();
  if (tree_ != nullptr) tree_->load(tree);
  queued_.resize(in.count());
  for (Waiting& w : queued_) {
    w.bundle = in.text();
    w.above = static_cast<WorkTree::Node>(in.number(tree_ != nullptr ? tree_->size() : 1));
  }
  for (uint64_t n = in.count(); n > 0; --n) {
    const uint64_t number = in.number();
    Memory& memory = memories_[number];
    memory.before = in.text();
    memory.what = in.text();
  }
  in.end();
}

}  // namespace heddle
