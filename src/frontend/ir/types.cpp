#include "frontend/ir/types.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Support/MathExtras.h>

#include "frontend/ir/sites.hpp"

namespace heddle::frontend {

using namespace llvm;

namespace {

constexpr unsigned kByte = 8;

// const, volatile, _Atomic, typedef: a name for another type.
const DIType* aliased(const DIType* type) {
  const auto* derived = dyn_cast_or_null<DIDerivedType>(type);
  if (!derived) return nullptr;
  switch (derived->getTag()) {
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
    case dwarf::DW_TAG_typedef: return derived->getBaseType();
    default: return nullptr;
  }
}

// std::atomic<int> is one value to its user, whatever it is made of.
bool is_opaque(const DICompositeType& type) {
  const auto* space = dyn_cast_or_null<DINamespace>(type.getScope());
  return space && space->getName() == "std" && type.getName().starts_with("atomic");
}

// What std::atomic<T> is to its user.
const DIType* contents_of(const DICompositeType& atomic) {
  for (const DITemplateParameter* parameter : atomic.getTemplateParams())
    if (const auto* type = dyn_cast<DITemplateTypeParameter>(parameter)) return type->getType();
  return nullptr;
}

ValueType value_of(const DIBasicType& type) {
  using Kind = ValueType::Kind;
  switch (type.getEncoding()) {
    case dwarf::DW_ATE_boolean: return {Kind::boolean, true};
    case dwarf::DW_ATE_float: return {is_contained({32, 64}, type.getSizeInBits()) ? Kind::floating : Kind::unknown};
    case dwarf::DW_ATE_signed: return {Kind::integer};
    case dwarf::DW_ATE_unsigned: return {Kind::integer, true};
    case dwarf::DW_ATE_signed_char: return {type.getName() == "char" ? Kind::character : Kind::integer};
    case dwarf::DW_ATE_unsigned_char: return {type.getName() == "char" ? Kind::character : Kind::integer, true};
    default: return {};
  }
}

ValueType value_of(const DICompositeType& type) {
  ValueType value{ValueType::Kind::enumeration};
  for (const DINode* node : type.getElements())
    if (const auto* e = dyn_cast<DIEnumerator>(node))
      value.enumerators.emplace_back(e->getValue().getSExtValue(), e->getName().str());
  const DIType* base = type.getBaseType();
  while (const DIType* target = aliased(base)) base = target;
  if (const auto* basic = dyn_cast_or_null<DIBasicType>(base)) value.is_unsigned = value_of(*basic).is_unsigned;
  return value;
}

bool is_anonymous_record(const DIDerivedType& member) {
  return member.getName().empty() && isa_and_nonnull<DICompositeType>(member.getBaseType());
}

std::string record_name(const DICompositeType& type) {
  std::string name = qualified_name(type.getScope(), type.getName());
  const bool cxx = !type.getIdentifier().empty();  // the mangled name
  if (cxx && !name.empty()) return name;
  const char* kind = type.getTag() == dwarf::DW_TAG_union_type         ? "union"
                     : type.getTag() == dwarf::DW_TAG_enumeration_type ? "enum"
                                                                       : "struct";
  return name.empty() ? kind : std::string(kind) + " " + name;
}

}  // namespace

std::string type_name(const DIType* type) {
  if (!type) return "void";
  if (const auto* record = dyn_cast<DICompositeType>(type)) {
    if (record->getTag() == dwarf::DW_TAG_array_type) return type_name(record->getBaseType()) + "[]";
    return record_name(*record);
  }
  if (const auto* derived = dyn_cast<DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case dwarf::DW_TAG_pointer_type: return type_name(derived->getBaseType()) + " *";
      case dwarf::DW_TAG_reference_type: return type_name(derived->getBaseType()) + " &";
      case dwarf::DW_TAG_rvalue_reference_type: return type_name(derived->getBaseType()) + " &&";
      case dwarf::DW_TAG_const_type: return "const " + type_name(derived->getBaseType());
      case dwarf::DW_TAG_volatile_type: return "volatile " + type_name(derived->getBaseType());
      case dwarf::DW_TAG_atomic_type: return "_Atomic " + type_name(derived->getBaseType());
      case dwarf::DW_TAG_restrict_type: return type_name(derived->getBaseType());
      case dwarf::DW_TAG_typedef: return qualified_name(derived->getScope(), derived->getName());
      default: break;
    }
  }
  return isa<DISubroutineType>(type) ? "function" : type->getName().str();
}

Image::Type& Types::add(std::string name, std::size_t size) {
  owner_.push_back(std::make_unique<Image::Type>());
  owner_.back()->name = std::move(name);
  owner_.back()->size = size;
  return *owner_.back();
}

const Image::Type* Types::of(const DIType* type) {
  if (!type) return nullptr;
  if (const auto found = known_.find(type); found != known_.end()) return found->second;
  const Image::Type* made = make(type);
  known_[type] = made;
  return made;
}

const Image::Type* Types::make(const DIType* type) {
  if (const DIType* target = aliased(type)) {
    const Image::Type* base = of(target);
    if (!base) return nullptr;
    Image::Type& named = add(type_name(type), base->size);
    named.members = base->members;
    named.element = base->element;
    named.value = base->value;
    named.bit_fields = base->bit_fields;
    return &named;
  }
  if (const auto* composite = dyn_cast<DICompositeType>(type)) {
    if (composite->getTag() == dwarf::DW_TAG_array_type) return make_array(*composite);
    if (composite->getTag() != dwarf::DW_TAG_enumeration_type) return make_record(*composite);
  }
  Image::Type& scalar = add(type_name(type), type->getSizeInBits() / kByte);
  if (const auto* basic = dyn_cast<DIBasicType>(type)) scalar.value = value_of(*basic);
  if (const auto* enumeration = dyn_cast<DICompositeType>(type)) scalar.value = value_of(*enumeration);
  return &scalar;
}

// int a[2][3] is an array of arrays: the innermost dimension comes last.
const Image::Type* Types::make_array(const DICompositeType& type) {
  const Image::Type* element = of(type.getBaseType());
  if (!element) return nullptr;
  SmallVector<int64_t, 4> counts;
  for (const DINode* node : type.getElements()) {
    const auto* range = dyn_cast<DISubrange>(node);
    const auto* count = range ? dyn_cast_if_present<ConstantInt*>(range->getCount()) : nullptr;
    counts.push_back(count ? count->getSExtValue() : 0);
  }
  for (int64_t count : reverse(counts)) {
    Image::Type& array = add(element->name + "[" + std::to_string(count) + "]",
                             element->size * static_cast<std::size_t>(std::max<int64_t>(count, 0)));
    array.element = element;
    element = &array;
  }
  return element;
}

const Image::Type* Types::make_record(const DICompositeType& type) {
  Image::Type& record = add(record_name(type), type.getSizeInBits() / kByte);
  known_[&type] = &record;
  if (!is_opaque(type)) {
    add_members(record, type, 0);
  } else if (type.getName() == "atomic_flag") {
    record.value = {ValueType::Kind::boolean};
  } else if (const Image::Type* value = of(contents_of(type)); value && value->size == record.size) {
    record.value = value->value;
  }
  return &record;
}

// A bit-field is read and written together with those that share its storage: they are one member, "{a, b}".
class Types::BitFields {
 public:
  BitFields(Types& types, Image::Type& record) : types_(types), record_(record) {}

  void add(const DIDerivedType& field, std::size_t record_offset) {
    const auto* storage = dyn_cast_or_null<ConstantInt>(field.getStorageOffsetInBits());
    const std::size_t start = record_offset + (storage ? storage->getZExtValue() : field.getOffsetInBits()) / kByte;
    if (start != start_) {
      finish();
      end_ = 0;
    }
    start_ = start;
    end_ =
        std::max<std::size_t>(end_, record_offset + divideCeil(field.getOffsetInBits() + field.getSizeInBits(), kByte));
    names_.push_back(field.getName().str());
  }
  void finish() {
    if (names_.empty()) return;
    Image::Type& type = types_.add("bit-field", end_ - start_);
    type.bit_fields = names_.size() > 1;
    record_.members.push_back({type.bit_fields ? "{" + join(names_, ", ") + "}" : names_.front(), start_, &type});
    names_.clear();
  }

 private:
  Types& types_;
  Image::Type& record_;
  std::vector<std::string> names_;
  std::size_t start_ = 0, end_ = 0;
};

// Members of base classes and of anonymous structs and unions are named as if they were the record's own.
void Types::add_members(Image::Type& record, const DICompositeType& type, std::size_t offset) {
  BitFields bits(*this, record);
  for (const DINode* node : type.getElements()) {
    const auto* member = dyn_cast<DIDerivedType>(node);
    if (!member || member->isStaticMember()) continue;
    if (member->isBitField()) {
      bits.add(*member, offset);
      continue;
    }
    bits.finish();
    const std::size_t at = offset + member->getOffsetInBits() / kByte;
    if (member->getTag() == dwarf::DW_TAG_inheritance || is_anonymous_record(*member)) {
      const DIType* base = member->getBaseType();
      while (const DIType* target = aliased(base)) base = target;
      if (const auto* nested = dyn_cast_or_null<DICompositeType>(base)) add_members(record, *nested, at);
    } else if (member->getTag() == dwarf::DW_TAG_member) {
      const std::string name = member->getName().str();
      const Image::Type* of_member = of(member->getBaseType());
      if (of_member) record.members.push_back({name, at, of_member});
    }
  }
  bits.finish();
}

}  // namespace heddle::frontend
