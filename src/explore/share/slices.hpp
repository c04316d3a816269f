// What a process does that explores work of a queue: it claims a bundle, explores it, and reports about once a second
// how far it has come. It goes on from where it is; what it reports as the rest is for others, should it die.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "explore/request/request.hpp"
#include "explore/share/work_queue.hpp"

namespace heddle {

// What the others wish, in memory that processes share.
struct Wishes {
  std::atomic<uint32_t> hungry = 0;  // processes that have no work
  std::atomic<bool> stop = false;    // report and end
};

// The trouble that a race was suppressed: one process must see them all, because it counts them.
inline constexpr const char* kSuppressed = "a race was suppressed";

class Slices : public Sharing {
 public:
  // `worth`: milliseconds at least between two reports because of others that have no work.
  Slices(Machine& machine, const Request& request, const ExploreOnce& explore_once, WorkSource& queue,
         const Wishes& wishes, int64_t worth)
      : machine_(machine),
        request_(request),
        explore_once_(explore_once),
        queue_(queue),
        wishes_(wishes),
        worth_(worth) {}

  // Until there is no more work, or trouble.
  void run();

  void tell(std::string what) override { told_ = std::move(what); }
  bool wants_all() override;
  bool others_wait() override { return wishes_.hungry.load(std::memory_order_relaxed) != 0 && !wishes_.stop; }
  std::vector<bool> look(const Result& so_far, std::vector<std::string> rest) override;

 private:
  void explore(const Work& work);
  void report_if_due();
  std::optional<Result> explored(const std::string& item);
  bool report(const Part& now, const Bundle& rest, const std::vector<std::string>& given);
  std::vector<std::string> deal(const Bundle& all, std::vector<bool>& taken) const;
  void tell_trouble(const std::string& message);
  bool is_over() const { return lost_ || in_trouble_ || stopped_; }

  Machine& machine_;
  Request request_;
  const ExploreOnce& explore_once_;
  WorkSource& queue_;
  const Wishes& wishes_;
  const int64_t worth_;

  // Of the lease.
  std::string token_;
  uint64_t number_ = 0;
  std::string settings_;
  uint64_t version_ = 0;
  Bundle pending_;    // items not yet begun
  Part done_;         // by items that are explored
  Part reported_;     // of done_ and of the item that is being explored
  std::string told_;  // of parts that are not independent (share/work_tree.hpp)
  bool lost_ = false;
  bool in_trouble_ = false;
  bool stopped_ = false;
  int64_t last_ = 0;  // milliseconds: the last report, and when the next one is due
  int64_t next_ = 0;
  int64_t interval_ = 0;
};

// Whether it was ended from outside.
bool is_cut_off(const Result& result);
// Whether a result is only counts, of an exploration that was not given up.
bool is_plain(const Result& result);

}  // namespace heddle
