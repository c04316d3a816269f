// Catch2, version 2.
#pragma once
#include "catch_test_macros.hpp"
using Catch::Approx;
