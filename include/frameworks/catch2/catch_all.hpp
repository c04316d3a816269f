// Catch2: all of it is in one header here.
#pragma once
#include "catch_test_macros.hpp"
