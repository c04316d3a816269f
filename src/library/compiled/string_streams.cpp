// Streams into and from strings, as C++20 has them. The rest of streams is in streams.cpp.
#include <istream>
#include <ostream>
#include <string>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0  // from here on, templates are instantiated here

#include <sstream>

template class std::basic_stringbuf<char>;
template class std::basic_ostringstream<char>;
template class std::basic_istringstream<char>;
template class std::basic_stringstream<char>;
