// One or a few sentences on why a reported execution is possible: which order is missing, which thread holds what. Says
// only what the relations of the execution say; often that is nothing.
#pragma once

#include <string>
#include <vector>

#include "report/steps.hpp"

namespace heddle {

std::vector<std::string> explain(const Finding& finding, const StepTeller& teller, const std::string& model);

}  // namespace heddle
