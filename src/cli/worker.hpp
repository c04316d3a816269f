// `heddle worker`: joins a check that was started with --queue, with the same program and the same heddle.
#pragma once

#include "cli/identity.hpp"
#include "cli/options.hpp"
#include "cli/supervise.hpp"
#include "redis/queue.hpp"

namespace heddle::cli {

// For the check: makes the queue, or goes on with it, and leaves there what a worker needs. Throws UserError.
void open_queue(redis::RedisQueue& queue, const Options& options, const Identity& identity, const std::string& bitcode);

// Explores until there is no more work. Returns the exit status.
int worker(const Options& options);
// On stderr, of a worker that was killed.
void tell_ended_worker(const Cut& cut);

}  // namespace heddle::cli
