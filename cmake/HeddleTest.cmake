# heddle_test(NAME SOURCES a.cpp b.cpp LIBS heddle_core … [LABELS l…] [WHOLE] [BUSY])
#
# A GoogleTest program whose cases become CTest tests. WHOLE makes it one test: for hundreds of tiny cases.
# So does a sanitizer build, where the search for leaks at the end of a process takes seconds. The libraries are
# optimised, but of the tests only those that are BUSY: that spend their time in their own code and in headers.
include(GoogleTest)

# All that the libraries link, and so on down.
function(heddle_linked_below out)
  set(found)
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest library)
    if(TARGET ${library})
      get_target_property(below ${library} INTERFACE_LINK_LIBRARIES)
      list(FILTER below INCLUDE REGEX "^heddle_")
      list(REMOVE_ITEM below ${found})
      list(APPEND found ${below})
      list(APPEND rest ${below})
    endif()
  endwhile()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

function(heddle_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WHOLE;BUSY" "" "SOURCES;LIBS;LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_test(${name}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  # A library that another one brings is not named again: ar indexes the objects by what they hold for link-time
  # optimisation, more than a link without it defines, and would take an object from each mention.
  heddle_linked_below(below ${arg_LIBS})
  list(REMOVE_ITEM arg_LIBS ${below})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_LIBS} GTest::gtest GTest::gtest_main)
  if(NOT arg_BUSY)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  if(arg_WHOLE OR HEDDLE_SANITIZE)
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}")
    return()
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 600 TEST_PREFIX "${name}."
    PROPERTIES LABELS "${arg_LABELS}")
endfunction()

# The tests have two tiers. What is labelled long is `make test-all`, the rest `make test`. In the quick tier no test takes
# more than 20 seconds, in the long one none more than 3 minutes. What is labelled unsanitized is left out with sanitizers,
# as the long tier is.

# heddle_parts(NAME PARTS n [QUICK q] COMMAND script …)
#
# The cases of a script as n tests, NAME.0, NAME.1, …: its option --part (scripts/part.py). The first q are quick.
function(heddle_parts name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PARTS;QUICK" "COMMAND")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_PARTS OR NOT arg_COMMAND)
    message(FATAL_ERROR "heddle_parts(${name}): PARTS and COMMAND, and nothing but QUICK")
  endif()
  math(EXPR last "${arg_PARTS} - 1")
  foreach(part RANGE ${last})
    add_test(NAME ${name}.${part} COMMAND ${arg_COMMAND} --part ${part}/${arg_PARTS})
    if(arg_QUICK AND part LESS arg_QUICK)
      set(tier unsanitized)
    else()
      set(tier long)
    endif()
    set_tests_properties(${name}.${part} PROPERTIES LABELS "programs;${tier}")
  endforeach()
endfunction()

# heddle_fuzz_test(NAME PROGRAMS n [FIRST f] COMMAND fuzzer …)
#
# n random programs, from number f on: a fifth as the quick test NAME, the others as NAME.more.
function(heddle_fuzz_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROGRAMS;FIRST" "COMMAND")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_PROGRAMS OR NOT arg_COMMAND)
    message(FATAL_ERROR "heddle_fuzz_test(${name}): PROGRAMS and COMMAND, and nothing but FIRST")
  endif()
  if(NOT arg_FIRST)
    set(arg_FIRST 0)
  endif()
  math(EXPR quick "(${arg_PROGRAMS} + 4) / 5")
  math(EXPR next "${arg_FIRST} + ${quick}")
  math(EXPR more "${arg_PROGRAMS} - ${quick}")
  add_test(NAME ${name} COMMAND ${arg_COMMAND} --first ${arg_FIRST} --programs ${quick})
  set_tests_properties(${name} PROPERTIES LABELS fuzz)
  add_test(NAME ${name}.more COMMAND ${arg_COMMAND} --first ${next} --programs ${more})
  set_tests_properties(${name}.more PROPERTIES LABELS "fuzz;long")
endfunction()
