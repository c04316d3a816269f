// The part of std::list that libstdc++ keeps out of its headers: links of a ring of nodes.
#include <list>

namespace std::__detail {

namespace {

void join(_List_node_base* a, _List_node_base* b) {
  a->_M_next = b;
  b->_M_prev = a;
}

bool is_alone(const _List_node_base& n) { return n._M_next == &n; }

}  // namespace

void _List_node_base::_M_hook(_List_node_base* const position) noexcept {
  _List_node_base* const before = position->_M_prev;
  join(this, position);
  join(before, this);
}

void _List_node_base::_M_unhook() noexcept { join(_M_prev, _M_next); }

// Puts [first, last) before this node.
void _List_node_base::_M_transfer(_List_node_base* const first, _List_node_base* const last) noexcept {
  if (this == last) return;
  _List_node_base* const end = last->_M_prev;
  _List_node_base* const before = _M_prev;
  join(first->_M_prev, last);
  join(before, first);
  join(end, this);
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base* n = this;
  do {
    _List_node_base* const next = n->_M_next;
    n->_M_next = n->_M_prev;
    n->_M_prev = next;
    n = next;
  } while (n != this);
}

// Each of the two is the node without a value of its list.
void _List_node_base::swap(_List_node_base& a, _List_node_base& b) noexcept {
  if (&a == &b) return;
  const _List_node_base was_a = a;
  const _List_node_base was_b = b;
  const bool a_alone = is_alone(a);
  if (is_alone(b)) {
    a._M_next = a._M_prev = &a;
  } else {
    join(&a, was_b._M_next);
    join(was_b._M_prev, &a);
  }
  if (a_alone) {
    b._M_next = b._M_prev = &b;
  } else {
    join(&b, was_a._M_next);
    join(was_a._M_prev, &b);
  }
}

}  // namespace std::__detail
