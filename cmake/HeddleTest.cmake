# heddle_test(NAME SOURCES a.cpp b.cpp LIBS heddle_core … [LABELS l…] [NATIVE] [WHOLE] [TIMEOUT seconds])
#
# A GoogleTest program whose cases become CTest tests. WHOLE makes it one test: for hundreds of tiny cases. NATIVE marks
# a program that runs fibres or JIT-compiled code: the sanitizers cannot follow a stack switch, so a sanitizer build
# leaves it out, as it does with programs that link one of heddle_native_libraries.
include(GoogleTest)

# What a sanitizer build does not have.
set(heddle_native_libraries heddle_image heddle_native heddle_library_functions heddle_frontend)

function(heddle_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NATIVE;WHOLE" "TIMEOUT" "SOURCES;LIBS;LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_test(${name}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(HEDDLE_SANITIZE)
    foreach(lib IN LISTS arg_LIBS)
      if(lib IN_LIST heddle_native_libraries)
        set(arg_NATIVE ON)
      elseif(lib MATCHES "^heddle_" AND NOT TARGET ${lib})  # else a misspelt name would leave the test out
        message(FATAL_ERROR "heddle_test(${name}): no library ${lib}")
      endif()
    endforeach()
    if(arg_NATIVE)
      return()
    endif()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_LIBS} GTest::gtest GTest::gtest_main)
  if(arg_WHOLE)
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
    return()
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_PREFIX "${name}."
    PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()
