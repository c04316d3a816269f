// What is kept in a work queue, as bytes: for the processes that share one, and for files.
#pragma once

#include "core/bytes.hpp"
#include "explore/share/work_queue.hpp"

namespace heddle {

class QueueWriter : public ByteWriter {
 public:
  void texts(const std::vector<std::string>& list) {
    number(list.size());
    for (const std::string& t : list) text(t);
  }
  void part(const Part& p) {
    for (const uint64_t n : {p.executions, p.blocked, p.duplicates, p.events}) number(n);
    texts(p.marks);
    text(p.unusual);
  }
  void work(const Work& w) {
    for (const std::string* t : {&w.token, &w.bundle, &w.settings}) text(*t);
    number(w.version);
  }
  void report(const Report& r) {
    text(r.token);
    number(r.number);
    part(r.part);
    text(r.rest);
    texts(r.given);
    text(r.told);
    text(r.learnt);
    number(r.version);
  }
};

class QueueReader : public ByteReader {
 public:
  using ByteReader::ByteReader;

  std::vector<std::string> texts() {
    std::vector<std::string> list(count());
    for (std::string& t : list) t = text();
    return list;
  }
  Part part() {
    Part p;
    for (uint64_t* n : {&p.executions, &p.blocked, &p.duplicates, &p.events}) *n = number();
    p.marks = texts();
    p.unusual = text();
    return p;
  }
  Work work() {
    Work w;
    for (std::string* t : {&w.token, &w.bundle, &w.settings}) *t = text();
    w.version = number();
    return w;
  }
  Report report() {
    Report r;
    r.token = text();
    r.number = number();
    r.part = part();
    r.rest = text();
    r.given = texts();
    r.told = text();
    r.learnt = text();
    r.version = number();
    return r;
  }
};

}  // namespace heddle
