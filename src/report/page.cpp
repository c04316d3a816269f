#include "report/page.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <utility>

#include "report/junit.hpp"
#include "report/page_data.hpp"
#include "report/text.hpp"

namespace heddle {
namespace {

// page.S is made by CMakeLists.txt.
struct EmbeddedFile {
  const char* name;
  const char* begin;
  const char* end;
};
extern "C" const EmbeddedFile heddle_page_files[];
extern "C" const EmbeddedFile heddle_page_files_end[];

// All files of this kind, one after the other.
std::string embedded(std::string_view suffix) {
  std::string text;
  for (const EmbeddedFile* f = heddle_page_files; f != heddle_page_files_end; ++f)
    if (std::string_view(f->name).ends_with(suffix)) text.append(f->begin, f->end);
  return text;
}

// JSON may stand in a script: nothing in it can end the script or begin a comment.
std::string for_script(const std::string& json) {
  std::string out;
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

// Replaces each @NAME@ of the frame; what is put in is not looked at again.
std::string filled(std::string_view frame, std::initializer_list<std::pair<std::string_view, std::string>> parts) {
  std::string out;
  while (!frame.empty()) {
    const std::size_t at = frame.find('@');
    out += frame.substr(0, at);
    if (at == frame.npos) break;
    frame.remove_prefix(at);
    bool known = false;
    for (const auto& [name, text] : parts) {
      if (!frame.starts_with(name)) continue;
      out += text;
      frame.remove_prefix(name.size());
      known = true;
      break;
    }
    if (known) continue;
    out += '@';
    frame.remove_prefix(1);
  }
  return out;
}

std::string page(const std::string& title, const std::string& plain, const std::string& data) {
  return filled(embedded(".html"), {{"@TITLE@", escaped_xml(title)},
                                    {"@STYLE@", embedded(".css")},
                                    {"@PLAIN@", escaped_xml(plain)},
                                    {"@DATA@", for_script(data)},
                                    {"@SCRIPT@", embedded(".js")}});
}

std::string page_title(const RunInfo& run, std::string_view verdict) {
  return fmt::format("{}: {}", run.files.empty() ? "heddle" : fmt::format("{}", fmt::join(run.files, " ")), verdict);
}

}  // namespace

std::string page_report(const RunInfo& run, const Result& result, const SiteTable& sites) {
  Style style;
  style.unicode = true;
  const std::string verdict = verdict_line(run, result, style);
  return page(page_title(run, verdict), text_report(run, result, sites, style), page_data(run, result, sites));
}

std::string page_failure(const RunInfo& run, std::string_view verdict, const std::string& message) {
  return page(page_title(run, verdict), fmt::format("{}: {}\n", verdict, message),
              page_failure_data(run, verdict, message));
}

}  // namespace heddle
