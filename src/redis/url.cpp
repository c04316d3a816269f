#include "redis/url.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "core/error.hpp"

namespace heddle::redis {
namespace {

constexpr std::size_t kLongestName = 100;

// The address may have a password in it, so it is not repeated.
[[noreturn]] void refuse(const std::string& why) {
  throw UserError("the address of a queue is redis://HOST/NAME, or redis://USER:PASSWORD@HOST:PORT/NAME?db=N; " + why);
}

std::optional<unsigned> number(const std::string& text) {
  unsigned n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return n;
}

std::string decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned code = 0;
    const char* const begin = text.data() + i + 1;
    if (i + 2 >= text.size() || std::from_chars(begin, begin + 2, code, 16).ptr != begin + 2)
      refuse("% must be followed by two hexadecimal digits");
    out += static_cast<char>(code);
    i += 2;
  }
  return out;
}

void read_user(const std::string& text, Url& url) {
  const std::size_t colon = text.find(':');
  url.user = decoded(text.substr(0, colon));
  if (colon != text.npos) url.password = decoded(text.substr(colon + 1));
}

void read_host(const std::string& text, Url& url) {
  const bool bracketed = text.starts_with('[');  // IPv6
  const std::size_t end = bracketed ? text.find(']') : text.rfind(':');
  const std::size_t colon = bracketed && end != text.npos ? text.find(':', end) : end;
  if (bracketed && end == text.npos) refuse("a ] is missing");
  url.host = bracketed ? text.substr(1, end - 1) : text.substr(0, colon);
  if (url.host.empty()) refuse("the host is missing");
  if (colon == text.npos) return;
  const std::optional<unsigned> port = number(text.substr(colon + 1));
  if (!port || *port == 0 || *port > 65535) refuse("the port must be a number from 1 to 65535");
  url.port = static_cast<int>(*port);
}

void read_name(std::string text, Url& url) {
  if (const std::size_t query = text.find('?'); query != text.npos) {
    const std::string database = text.substr(query + 1);
    const std::optional<unsigned> n = database.starts_with("db=") ? number(database.substr(3)) : std::nullopt;
    if (!n) refuse("what follows ? must be db=N");
    url.database = *n;
    text.resize(query);
  }
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
  };
  if (text.empty() || text.size() > kLongestName || !std::ranges::all_of(text, plain))
    refuse("the name of the queue must be made of letters, digits, - _ and .");
  url.name = text;
}

}  // namespace

Url parse_url(const std::string& text) {
  constexpr std::string_view kScheme = "redis://";
  if (text.starts_with("rediss://")) {
    throw UserError(
        "rediss://: this heddle is built with a hiredis that has no TLS; use a tunnel such as stunnel, ssh -L or a "
        "VPN, "
        "and redis:// to its near end");
  }
  if (!text.starts_with(kScheme)) refuse("it must begin with redis://");
  std::string rest = text.substr(kScheme.size());
  Url url;
  if (const std::size_t at = rest.rfind('@'); at != rest.npos) {
    read_user(rest.substr(0, at), url);
    rest.erase(0, at + 1);
  }
  const std::size_t slash = rest.find('/');
  if (slash == rest.npos) refuse("the name of the queue is missing");
  read_host(rest.substr(0, slash), url);
  read_name(rest.substr(slash + 1), url);
  const char* const password = std::getenv("HEDDLE_REDIS_PASSWORD");
  if (url.password.empty() && password != nullptr) url.password = password;
  return url;
}

std::string Url::shown() const {
  const std::string at = host.find(':') == host.npos ? host : "[" + host + "]";
  return "redis://" + at + ":" + std::to_string(port) + "/" + name;
}

}  // namespace heddle::redis
