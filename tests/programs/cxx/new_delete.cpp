// delete of an array through the wrong pointer, and use after delete.
// $ heddle check new_delete.cpp => error memory here
// $ heddle check new_delete.cpp -- -DTWICE => error memory
struct Node {
  int value = 1;
  Node* next = nullptr;
};

int main() {
  Node* n = new Node;
  delete n;
#ifdef TWICE
  delete n;
#endif
  return n->value - 1;  // here
}
