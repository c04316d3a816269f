// The part of std::map, std::set and their like that libstdc++ keeps out of its headers: red-black trees.
//
// The header node stands above the root: its parent is the root, its left and right are the first and the last node.
// The root's parent is the header, which is red, so that it can be told from a root.
//
// (Guibas and Sedgewick, A Dichromatic Framework for Balanced Trees, FOCS 1978; the cases as in Cormen et al.)
#include <map>

namespace {

using Node = std::_Rb_tree_node_base;

bool is_red(const Node* n) { return n != nullptr && n->_M_color == std::_S_red; }

// The link that leads to n.
Node*& link_to(Node* n, Node& header) {
  Node* const above = n->_M_parent;
  if (above == &header) return header._M_parent;
  return above->_M_left == n ? above->_M_left : above->_M_right;
}

// b takes the place of a below a's parent; b may be null.
void replace(Node* a, Node* b, Node& header) {
  link_to(a, header) = b;
  if (b != nullptr) b->_M_parent = a->_M_parent;
}

// n goes down to the left, or to the right; its child on the other side comes up.
void rotate(Node* n, bool left, Node& header) {
  Node* const up = left ? n->_M_right : n->_M_left;
  Node* const between = left ? up->_M_left : up->_M_right;
  (left ? n->_M_right : n->_M_left) = between;
  if (between != nullptr) between->_M_parent = n;
  replace(n, up, header);
  (left ? up->_M_left : up->_M_right) = n;
  n->_M_parent = up;
}

// n is red; so may its parent be.
void settle_red(Node* n, Node& header) {
  while (n != header._M_parent && is_red(n->_M_parent)) {
    Node* parent = n->_M_parent;
    Node* const grandparent = parent->_M_parent;
    const bool left = grandparent->_M_left == parent;
    Node* const uncle = left ? grandparent->_M_right : grandparent->_M_left;
    if (is_red(uncle)) {
      parent->_M_color = uncle->_M_color = std::_S_black;
      grandparent->_M_color = std::_S_red;
      n = grandparent;
      continue;
    }
    if (n == (left ? parent->_M_right : parent->_M_left)) {
      rotate(parent, left, header);
      parent = n;
    }
    parent->_M_color = std::_S_black;
    grandparent->_M_color = std::_S_red;
    rotate(grandparent, !left, header);
    break;
  }
  header._M_parent->_M_color = std::_S_black;
}

// The paths through n, a child of parent or null, have one black node too few.
void settle_black(Node* n, Node* parent, Node& header) {
  while (n != header._M_parent && !is_red(n)) {
    const bool left = parent->_M_left == n;
    Node* sibling = left ? parent->_M_right : parent->_M_left;
    if (is_red(sibling)) {
      sibling->_M_color = std::_S_black;
      parent->_M_color = std::_S_red;
      rotate(parent, left, header);
      sibling = left ? parent->_M_right : parent->_M_left;
    }
    Node* const near = left ? sibling->_M_left : sibling->_M_right;
    Node* far = left ? sibling->_M_right : sibling->_M_left;
    if (!is_red(near) && !is_red(far)) {
      sibling->_M_color = std::_S_red;
      n = parent;
      parent = n->_M_parent;
      continue;
    }
    if (!is_red(far)) {
      near->_M_color = std::_S_black;
      sibling->_M_color = std::_S_red;
      rotate(sibling, !left, header);
      far = sibling;
      sibling = near;
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = far->_M_color = std::_S_black;
    rotate(parent, left, header);
    return;
  }
  if (n != nullptr) n->_M_color = std::_S_black;
}

Node* successor(Node* n) {
  if (n->_M_right != nullptr) return Node::_S_minimum(n->_M_right);
  Node* above = n->_M_parent;
  while (n == above->_M_right) {
    n = above;
    above = above->_M_parent;
  }
  // From a root without a right child the climb has gone through the header and back: then n is the header.
  return n->_M_right == above ? n : above;
}

Node* predecessor(Node* n) {
  if (is_red(n) && n->_M_parent->_M_parent == n) return n->_M_right;  // the header
  if (n->_M_left != nullptr) return Node::_S_maximum(n->_M_left);
  Node* above = n->_M_parent;
  while (n == above->_M_left) {
    n = above;
    above = above->_M_parent;
  }
  return above;
}

}  // namespace

namespace std {

Node* _Rb_tree_increment(Node* n) throw() { return successor(n); }
const Node* _Rb_tree_increment(const Node* n) throw() { return successor(const_cast<Node*>(n)); }
Node* _Rb_tree_decrement(Node* n) throw() { return predecessor(n); }
const Node* _Rb_tree_decrement(const Node* n) throw() { return predecessor(const_cast<Node*>(n)); }

void _Rb_tree_insert_and_rebalance(const bool left, Node* n, Node* parent, Node& header) throw() {
  n->_M_parent = parent;
  n->_M_left = n->_M_right = nullptr;
  n->_M_color = _S_red;
  if (parent == &header) {
    header._M_parent = header._M_left = header._M_right = n;
  } else if (left) {
    parent->_M_left = n;
    if (parent == header._M_left) header._M_left = n;
  } else {
    parent->_M_right = n;
    if (parent == header._M_right) header._M_right = n;
  }
  settle_red(n, header);
}

// Returns the node that is to be destroyed: n itself.
Node* _Rb_tree_rebalance_for_erase(Node* const n, Node& header) throw() {
  if (n == header._M_left) header._M_left = n->_M_right == nullptr ? n->_M_parent : Node::_S_minimum(n->_M_right);
  if (n == header._M_right) header._M_right = n->_M_left == nullptr ? n->_M_parent : Node::_S_maximum(n->_M_left);
  bool lost_black = !is_red(n);
  Node* child;   // what moves up into the gap
  Node* parent;  // and what it is below then
  if (n->_M_left == nullptr || n->_M_right == nullptr) {
    child = n->_M_left == nullptr ? n->_M_right : n->_M_left;
    parent = n->_M_parent;
    replace(n, child, header);
  } else {
    // The next node takes n's place and colour; the gap is where it was.
    Node* const heir = Node::_S_minimum(n->_M_right);
    lost_black = !is_red(heir);
    child = heir->_M_right;
    parent = heir->_M_parent;
    if (parent == n) {
      parent = heir;
    } else {
      parent->_M_left = child;
      if (child != nullptr) child->_M_parent = parent;
      heir->_M_right = n->_M_right;
      heir->_M_right->_M_parent = heir;
    }
    replace(n, heir, header);
    heir->_M_left = n->_M_left;
    heir->_M_left->_M_parent = heir;
    heir->_M_color = n->_M_color;
  }
  if (lost_black) settle_black(child, parent, header);
  return n;
}

// The black nodes on the way from n up to the root, both counted.
unsigned int _Rb_tree_black_count(const Node* n, const Node* root) throw() {
  unsigned int count = 0;
  for (; n != nullptr; n = n == root ? nullptr : n->_M_parent) count += !is_red(n);
  return count;
}

}  // namespace std
