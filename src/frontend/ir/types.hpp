// From DWARF types to Image::Type, so that a report can say "queue.head" or "a[3].next".
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <memory>
#include <string>
#include <vector>

#include "image/image.hpp"

namespace heddle::frontend {

class Types {
 public:
  explicit Types(std::vector<std::unique_ptr<Image::Type>>& owner) : owner_(owner) {}

  // Null for a null type.
  const Image::Type* of(const llvm::DIType* type);

 private:
  class BitFields;

  Image::Type& add(std::string name, std::size_t size);
  const Image::Type* make(const llvm::DIType* type);
  const Image::Type* make_array(const llvm::DICompositeType& type);
  const Image::Type* make_record(const llvm::DICompositeType& type);
  void add_members(Image::Type& record, const llvm::DICompositeType& type, std::size_t offset);

  std::vector<std::unique_ptr<Image::Type>>& owner_;
  llvm::DenseMap<const llvm::DIType*, const Image::Type*> known_;
};

// "struct node", "int *", "std::atomic<int>".
std::string type_name(const llvm::DIType* type);

}  // namespace heddle::frontend
