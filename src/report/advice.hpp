// Memory orders in words: their names, where they stand, and which would mend an error.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

namespace heddle {

// As the source writes it: "release", "seq_cst".
std::string_view order_name(Mode mode);
// "mp.c:15"; "?" without a place.
std::string line_of(const Site* site);
// "store to flag"; `what` alone without a variable.
std::string access_of(const std::string& what, const std::string& variable);
// "release at mp.c:15 (store to flag)"
std::string advice_text(const OrderAdvice& advice, const SiteTable& sites);
// What the report of an error says of orders that would mend it; nothing if none are known.
std::string advice_sentence(const Advice& advice, const SiteTable& sites);

}  // namespace heddle
