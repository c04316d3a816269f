// Catch2, version 2.
#pragma once
#include "catch2/catch.hpp"
