#pragma once
#error "heddle has no gmock: leave mocks and matchers out of tests for `heddle test`"
