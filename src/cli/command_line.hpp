// The command lines of `heddle check`, `heddle replay`, `heddle test` and `heddle litmus`: one table, from which
// parsing, --help and docs/options.md come.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "explore/explore.hpp"

namespace heddle::cli {

// Why the theory does not cover the feature with these options; empty if it does.
std::string why_not_feature(const Options&, Feature);

// The arguments after "check". Throws UserError with a message that names the remedy.
Options parse_check(const std::vector<std::string>& arguments);
// The arguments after "orders".
Options parse_orders(const std::vector<std::string>& arguments);
// The arguments after "test".
Options parse_test(const std::vector<std::string>& arguments);
// The arguments after "estimate".
Options parse_estimate(const std::vector<std::string>& arguments);
// The arguments after "replay". What they do not say is as in `check`, the options of the check that is replayed.
Options parse_replay(const std::vector<std::string>& arguments, const Options& check = {});
// The arguments after "litmus".
Options parse_litmus(const std::vector<std::string>& arguments);

// The arguments after "worker", or "status".
Options parse_queue(const std::vector<std::string>& arguments, const std::string& command);

// Those with options: "check" and so on.
std::vector<std::string_view> names_of_commands();

// `heddle --help`.
std::string help_text();
// `heddle check --help` and the like: the options that are needed most, or all.
std::string help_text(const std::string& command, bool all);
// docs/options.md.
std::string help_markdown();

// The options that decide what is explored, as they are set, where they are not as by default.
std::string deciding_options(const Options& options);

}  // namespace heddle::cli
