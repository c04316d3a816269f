// What the unordered containers take from libstdc++.so: the policy that says when a table grows, and hashes of bytes.
// Real functions compute it on private copies of what they are given.
#include <unordered_map>
#include <utility>

#include "library/checked.hpp"
#include "library/table.hpp"

namespace heddle::library {
namespace {

using Policy = std::__detail::_Prime_rehash_policy;

Policy copy_of(const Policy* p) {
  Policy copy(plain_get(&p->_M_max_load_factor));
  copy._M_next_resize = plain_get(&p->_M_next_resize);
  return copy;
}

std::size_t next_buckets(const Policy* p, std::size_t n) {
  Policy copy(plain_get(&p->_M_max_load_factor));
  const std::size_t buckets = copy._M_next_bkt(n);
  plain_put(&p->_M_next_resize, copy._M_next_resize);
  return buckets;
}

std::pair<bool, std::size_t> need_rehash(const Policy* p, std::size_t buckets, std::size_t elements,
                                         std::size_t inserted) {
  const Policy before = copy_of(p);
  Policy copy = before;
  const auto answer = copy._M_need_rehash(buckets, elements, inserted);
  if (copy._M_next_resize != before._M_next_resize) plain_put(&p->_M_next_resize, copy._M_next_resize);
  return answer;
}

template <std::size_t (*function)(const void*, std::size_t, std::size_t)>
std::size_t hash(const void* start, std::size_t n, std::size_t seed) {
  const Pinned pinned;
  HostVector<char>& copy = copies[rt.current->id].text;
  copy.resize(n);
  plain_read(address(start), copy.data(), n);
  return function(copy.data(), n, seed);
}

}  // namespace

std::span<const Row> container_functions() {
  static const Row table[] = {
      row("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", next_buckets),
      row("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm", need_rehash),
      row("_ZSt11_Hash_bytesPKvmm", hash<std::_Hash_bytes>),
      row("_ZSt15_Fnv_hash_bytesPKvmm", hash<std::_Fnv_hash_bytes>),
  };
  return table;
}

}  // namespace heddle::library
