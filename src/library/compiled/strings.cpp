// std::string and std::wstring, for code that was compiled against those of libstdc++.so.
#include <string>

template class std::allocator<char>;
template class std::allocator<wchar_t>;
template class std::basic_string<char>;
template class std::basic_string<wchar_t>;
