#include "report/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/add_once.hpp"
#include "report/places.hpp"

namespace heddle {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// The length of the character at the start, 0 if it is none of UTF-8 or not allowed in XML.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  unsigned code = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool shortest = code >= (length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u);
  const bool allowed = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && code != 0xfffe && code != 0xffff;
  return shortest && allowed ? length : 0;
}

struct Totals {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(const TestReport& test) {
    ++tests;
    failures += test.verdict == "error";
    errors += test.verdict == "incomplete" || test.verdict == "failed";
    skipped += test.verdict == "skipped";
    seconds += test.seconds;
  }
  std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\"", tests, failures,
                       errors, skipped, seconds);
  }
};

// The terminal's colours have no place in a file.
std::string without_colours(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i = std::min(text.find('m', i), text.size());
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string outcome_xml(const TestReport& test) {
  if (test.verdict == "verified") return "";
  if (test.verdict == "skipped") return fmt::format("      <skipped message=\"{}\"/>\n", escaped_xml(test.message));
  const bool error = test.verdict == "error";
  const std::string place = test.place.empty() ? "" : test.place + ": ";
  return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", error ? "failure" : "error",
                     escaped_xml(error ? test.kind : test.verdict), escaped_xml(place + test.message),
                     escaped_xml(without_colours(test.text)));
}

std::string test_xml(const TestReport& test) {
  const std::string file = shown_path(test.file);
  const std::string line = test.line == 0 ? "" : fmt::format(" line=\"{}\"", test.line);
  return fmt::format("    <testcase name=\"{}\" classname=\"{}\" file=\"{}\"{} time=\"{:.6f}\">\n{}    </testcase>\n",
                     escaped_xml(test.name), escaped_xml(std::filesystem::path(file).replace_extension().string()),
                     escaped_xml(file), line, test.seconds, outcome_xml(test));
}

}  // namespace

std::string replaced_characters(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character(text);
    out += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string escaped_xml(std::string_view text) {
  std::string out;
  for (const char c : replaced_characters(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\r': out += "&#13;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string junit_check(const RunInfo& run, std::string json, std::string text) {
  TestReport test;
  test.file = run.files.empty() ? "" : run.files[0];
  test.name = std::filesystem::path(test.file).filename().string();
  test.json = std::move(json);
  test.text = std::move(text);
  read_report(test, nullptr);
  return junit_report(run, {&test, 1});
}

std::string junit_report(const RunInfo& run, std::span<const TestReport> tests) {
  std::vector<std::string> files;  // in the order of their tests
  Totals all;
  for (const TestReport& test : tests) {
    all.add(test);
    add_once(files, test.file);
  }
  std::string out =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"heddle\" {}>\n", all.attributes());
  for (const std::string& file : files) {
    Totals totals;
    std::string cases;
    for (const TestReport& test : tests) {
      if (test.file != file) continue;
      totals.add(test);
      cases += test_xml(test);
    }
    out += fmt::format(
        "  <testsuite name=\"{}\" {}>\n    <properties>\n      <property name=\"model\" value=\"{}\"/>\n"
        "      <property name=\"algorithm\" value=\"{}\"/>\n    </properties>\n{}  </testsuite>\n",
        escaped_xml(shown_path(file)), totals.attributes(), escaped_xml(run.model), escaped_xml(run.algorithm), cases);
  }
  return out + "</testsuites>\n";
}

}  // namespace heddle
