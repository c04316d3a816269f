#include "frontend/loops/condition_function.hpp"

#include <llvm/IR/IntrinsicInst.h>

#include "core/assert.hpp"
#include "core/condition.hpp"
#include "frontend/ir/runtime.hpp"
#include "frontend/loops/cuts.hpp"
#include "frontend/loops/effects.hpp"
#include "frontend/loops/undone.hpp"

namespace heddle::frontend {

using namespace llvm;
using llvm::Value;  // not heddle::Value

namespace {

bool may_be_known(const Type* type) {
  return type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

// Builds the function, with each value that is known as an argument of its own.
class Builder {
 public:
  Builder(Instruction& read, const ::heddle::frontend::Way& way, const DominatorTree& dominators,
          const OfFunction& only_pauses, const OfFunction& assumes, Tells tells)
      : read_(read),
        way_(way),
        dominators_(dominators),
        only_pauses_(only_pauses),
        assumes_(assumes),
        tells_(tells),
        adds_(way.loop && adds(read) ? cast<AtomicRMWInst>(&read) : nullptr),
        region_(read, way, [this](const BasicBlock& block) { return ends(block); }),
        context_(read.getContext()) {}

  Built build() {
    Built built;
    if (region_.too_large() || !find_known()) return built;
    SmallVector<Type*> types{type_of_read()};
    for (Value* v : known_) types.push_back(v->getType());
    f_ = Function::Create(FunctionType::get(result_type(), types, false), GlobalValue::InternalLinkage,
                          "__heddle_condition", read_.getModule());
    if (tells_ == Tells::where) {
      auto* type = FunctionType::get(Type::getVoidTy(context_), {Type::getInt32Ty(context_)}, false);
      leave_ = Function::Create(type, GlobalValue::ExternalLinkage, "__heddle_leave", read_.getModule());
    }
    for (unsigned n = 0; n < known_.size(); ++n) map_[known_[n]] = f_->getArg(n + 1);
    auto* entry = BasicBlock::Create(context_, "", f_);
    waits_ = end(tells_ == Tells::how ? kToCut : 0);
    if (tells_ == Tells::how) stays_ = end(kStays);
    if (tells_ != Tells::where) goes_on_ = end(kGoesOn);
    for (BasicBlock* block : region_.blocks()) copies_[block] = BasicBlock::Create(context_, "", f_);
    IRBuilder<> b(entry);
    for (Value* v : casts_) map_[v] = b.CreateBitOrPointerCast(of(const_cast<Value*>(same_bits(v))), v->getType());
    for (StoreInst* store : way_.anew) add_slot(b, *store);
    begin(b);
    b.CreateBr(copies_[read_.getParent()]);
    for (BasicBlock* block : region_.blocks()) copy(*block);
    built.leave = leave_;
    if (failed_) {
      f_->eraseFromParent();
      if (leave_) leave_->eraseFromParent();
      return {};
    }
    EliminateUnreachableBlocks(*f_);
    built.function = f_;
    built.known.assign(known_.begin(), known_.end());
    built.stores.assign(stores_.begin(), stores_.end());
    built.looks.assign(looks_.begin(), looks_.end());
    built.undoes = undoes_;
    built.is_used = tells_ == Tells::where && is_used(read_);
    return built;
  }

 private:
  Type* type_of_read() const {
    const auto* cas = dyn_cast<AtomicCmpXchgInst>(&read_);
    return cas ? cas->getCompareOperand()->getType() : read_.getType();
  }

  Type* result_type() const {
    return tells_ == Tells::whether ? Type::getInt1Ty(context_)
           : tells_ == Tells::how   ? Type::getInt8Ty(context_)
                                    : Type::getVoidTy(context_);
  }
  BasicBlock* end(uint64_t result) {
    BasicBlock* block = BasicBlock::Create(context_, "", f_);
    Type* type = result_type();
    ReturnInst::Create(context_, type->isVoidTy() ? nullptr : ConstantInt::get(type, result), block);
    return block;
  }
  // The thread goes on, from a place that is none of those before.
  BasicBlock* goes_on() {
    if (goes_on_) return goes_on_;
    BasicBlock* block = BasicBlock::Create(context_, "", f_);
    IRBuilder<> b(block);
    b.CreateCall(leave_, {b.getInt32(++places_)});
    b.CreateRetVoid();
    return block;
  }

  // Whether the value, or what is computed of it, is used for more than the branches that have been copied.
  bool is_used(const Value& v) {
    return any_of(v.users(), [&](const User* user) {
      const auto* i = cast<Instruction>(user);
      if (is_keep(*i) || branches_.contains(i) || assumption(*i)) return false;
      if (!map_.contains(i)) return true;
      return seen_.insert(i).second && is_used(*i);
    });
  }

  bool is_in_region(const Instruction& i) const {
    if (!is_contained(region_.blocks(), i.getParent())) return false;
    return i.getParent() != read_.getParent() || !(&i == &read_ || i.comesBefore(&read_));
  }

  bool note_known(Value* v) {
    if (isa<Constant, BasicBlock, MetadataAsValue, InlineAsm>(v)) return true;
    const auto* i = dyn_cast<Instruction>(v);
    if (v == &read_ || (i && is_in_region(*i)) || is_contained(known_, v) || is_contained(casts_, v)) return true;
    if (auto* from = const_cast<Value*>(same_bits(v)); from != v) {
      if (!note_known(from)) return false;
      casts_.push_back(v);
      return true;
    }
    if ((i && !dominators_.dominates(i, &read_)) || !may_be_known(v->getType()) ||
        known_.size() == Condition::kMostKnown)
      return false;
    known_.push_back(v);
    return true;
  }

  // What is used on the ways and is there before the read.
  bool find_known() {
    if (auto* cas = dyn_cast<AtomicCmpXchgInst>(&read_); cas && !note_known(cas->getCompareOperand())) return false;
    if (auto* rmw = dyn_cast<AtomicRMWInst>(&read_); rmw && !note_known(rmw->getValOperand())) return false;
    if (way_.cut) {
      for (Instruction* i : way_.cut->state) {
        if (!is_in_region(*i) && !note_known(i)) return false;
        // What is computed on the way and is part of the state is compared with what it was when the round began.
        if (is_in_region(*i) && !note_state(*i)) return false;
        const auto* phi = dyn_cast<PHINode>(i);
        if (!phi || phi->getParent() != way_.cut->block) continue;
        for (const Use& next : phi->incoming_values()) {
          if (is_contained(region_.blocks(), phi->getIncomingBlock(next))) note_known(next.get());
        }
      }
    }
    for (BasicBlock* block : region_.blocks()) {
      Instruction* i = block == read_.getParent() ? read_.getNextNode() : &block->front();
      for (; i; i = i->getNextNode()) {
        if (!i->isTerminator() && !may_pass(*i)) break;  // the way ends here
        for (Value* v : i->operands()) {
          const bool matters = !steps_over(*i) && !isa<PHINode, AtomicRMWInst>(i);
          if (matters && !note_known(v)) unknown_.insert(i);
        }
        if (auto* phi = dyn_cast<PHINode>(i)) {
          for (const Use& v : phi->incoming_values()) {
            if (region_.has(*phi->getIncomingBlock(v), *block) && !note_known(v)) unknown_.insert(i);
          }
        }
      }
    }
    return true;
  }

  // A value of the state that is computed anew on the way: what it was is known before the read.
  bool note_state(Instruction& i) {
    if (!dominators_.dominates(&i, &read_) || !may_be_known(i.getType()) || known_.size() == Condition::kMostKnown)
      return false;
    before_.try_emplace(&i, known_.size());
    known_.push_back(&i);
    return true;
  }

  // Whether the thread surely does something in the block, after the read.
  bool ends(const BasicBlock& block) const {
    const Instruction* i = &block == read_.getParent() ? read_.getNextNode() : &block.front();
    for (; !i->isTerminator(); i = i->getNextNode()) {
      if (!may_pass(*i)) return true;
    }
    return !isa<BranchInst, SwitchInst>(i);
  }
  bool may_pass(const Instruction& i) const {
    return isa<PHINode>(i) || steps_over(i) || computes(i) || assumption(i) ||
           (way_.loop && isa<StoreInst, LoadInst>(i)) || (adds_ && takes_back(i, *adds_));
  }

  bool steps_over(const Instruction& i) const {
    if (i.isTerminator() || isa<PHINode>(i)) return false;
    const auto* call = dyn_cast<CallBase>(&i);
    if (call && is_runtime(call->getCalledFunction())) return effect_of(i) == Effect::nothing;
    const Effect effect = effect_of(i, only_pauses_);
    if (way_.loop)
      return effect == Effect::pauses || effect == Effect::orders ||
             (effect == Effect::nothing && i.getType()->isVoidTy());
    return effect == Effect::nothing && i.getType()->isVoidTy() && !ends_life(i);
  }
  // A variable that others may know ends its life: after an assumption that is false it does not.
  static bool ends_life(const Instruction& i) {
    const auto* marker = dyn_cast<IntrinsicInst>(&i);
    return marker && marker->getIntrinsicID() == Intrinsic::lifetime_end;
  }
  bool computes(const Instruction& i) const {
    const auto* call = dyn_cast<CallBase>(&i);
    return !i.isTerminator() && !i.getType()->isVoidTy() && effect_of(i, only_pauses_) == Effect::nothing &&
           !(call && is_runtime(call->getCalledFunction()));
  }
  Value* assumption(const Instruction& i) const {
    const auto* call = dyn_cast<CallInst>(&i);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->isDeclaration() || call->arg_size() != 1 || !assumes_(callee->getName())) return nullptr;
    return call->getArgOperand(0)->getType()->isIntegerTy() ? call->getArgOperand(0) : nullptr;
  }

  // The value that the read finds; and whether it changes something then.
  void begin(IRBuilder<>& b) {
    Argument* v = f_->getArg(0);
    map_[&read_] = v;
    Value* changes = nullptr;
    if (auto* cas = dyn_cast<AtomicCmpXchgInst>(&read_)) {
      changes = b.CreateICmpEQ(v, of(cas->getCompareOperand()));
    } else if (auto* rmw = dyn_cast<AtomicRMWInst>(&read_)) {
      Value* written = v->getType()->isIntegerTy() ? compute(b, rmw->getOperation(), v, of(rmw->getValOperand()))
                       : rmw->getOperation() == AtomicRMWInst::Xchg ? of(rmw->getValOperand())
                                                                    : nullptr;
      if (!written) {
        failed_ = true;
        return;
      }
      changes = b.CreateICmpNE(v, written);
    }
    if (!changes) return;
    if (adds_ || tells_ == Tells::where) {
      stands_ = b.CreateAlloca(b.getInt1Ty());
      b.CreateStore(changes, stands_);
      taken_back_ = b.CreateAlloca(b.getInt1Ty());
      b.CreateStore(b.getFalse(), taken_back_);
      return;
    }
    auto* next = BasicBlock::Create(context_, "", f_);
    b.CreateCondBr(changes, goes_on(), next);
    b.SetInsertPoint(next);
  }

  // The round takes back what the read has added: once.
  void take_back(IRBuilder<>& b) {
    undoes_ = true;
    go_on_unless(b, b.CreateNot(b.CreateLoad(b.getInt1Ty(), taken_back_)));
    b.CreateStore(b.getFalse(), stands_);
    b.CreateStore(b.getTrue(), taken_back_);
  }
  // A load of the same place that has a loop of its own.
  bool is_look(const Instruction& i) const {
    const auto* load = dyn_cast<LoadInst>(&i);
    return adds_ && load && load->isAtomic() && !load->isVolatile() && load->getType() == read_.getType() &&
           is_same_place(*load, read_);
  }

  static Value* compute(IRBuilder<>& b, AtomicRMWInst::BinOp op, Value* v, Value* x) {
    switch (op) {
      case AtomicRMWInst::Xchg: return x;
      case AtomicRMWInst::Add: return b.CreateAdd(v, x);
      case AtomicRMWInst::Sub: return b.CreateSub(v, x);
      case AtomicRMWInst::And: return b.CreateAnd(v, x);
      case AtomicRMWInst::Nand: return b.CreateNot(b.CreateAnd(v, x));
      case AtomicRMWInst::Or: return b.CreateOr(v, x);
      case AtomicRMWInst::Xor: return b.CreateXor(v, x);
      case AtomicRMWInst::Max: return b.CreateBinaryIntrinsic(Intrinsic::smax, v, x);
      case AtomicRMWInst::Min: return b.CreateBinaryIntrinsic(Intrinsic::smin, v, x);
      case AtomicRMWInst::UMax: return b.CreateBinaryIntrinsic(Intrinsic::umax, v, x);
      case AtomicRMWInst::UMin: return b.CreateBinaryIntrinsic(Intrinsic::umin, v, x);
      default: return nullptr;
    }
  }

  // What a value of the program is in the function.
  Value* of(Value* v) {
    if (isa<Constant>(v)) return v;
    Value* there = map_.lookup(v);
    if (!there) failed_ = true;
    return there ? there : PoisonValue::get(v->getType());
  }

  void copy(BasicBlock& block) {
    IRBuilder<> b(copies_[&block]);
    if (&block != read_.getParent() && pred_empty(copies_[&block])) {  // all ways end before
      b.CreateUnreachable();
      return;
    }
    Instruction* i = &block == read_.getParent() ? read_.getNextNode() : &block.front();
    for (; !i->isTerminator(); i = i->getNextNode()) {
      if (is_look(*i) && undoes_) {
        go_on_unless(b, b.CreateLoad(b.getInt1Ty(), taken_back_));
        looks_.push_back(cast<LoadInst>(i));
        b.CreateBr(waits_);
        return;
      }
      if (unknown_.contains(i) || !copy(b, *i)) {
        b.CreateBr(goes_on());
        return;
      }
    }
    branches_.insert(i);
    auto* branch = dyn_cast<BranchInst>(i);
    auto* choice = dyn_cast<SwitchInst>(i);
    if (unknown_.contains(i) || (!branch && !choice)) {
      b.CreateBr(goes_on());
    } else if (choice) {
      SwitchInst* copied = b.CreateSwitch(of(choice->getCondition()), edge(block, *choice->getDefaultDest()));
      for (const auto& c : choice->cases()) copied->addCase(c.getCaseValue(), edge(block, *c.getCaseSuccessor()));
    } else if (branch->isUnconditional()) {
      b.CreateBr(edge(block, *branch->getSuccessor(0)));
    } else {
      BasicBlock* then = edge(block, *branch->getSuccessor(0));
      BasicBlock* otherwise = edge(block, *branch->getSuccessor(1));
      b.CreateCondBr(of(branch->getCondition()), then, otherwise);
    }
  }

  // False where the way ends.
  bool copy(IRBuilder<>& b, Instruction& i) {
    if (auto* phi = dyn_cast<PHINode>(&i)) {
      // Its values come with the edges.
      PHINode* copied = b.CreatePHI(phi->getType(), 2);
      map_[phi] = copied;
      return fill(*phi, *copied);
    }
    if (Value* condition = assumption(i)) {
      if (way_.loop) return false;
      auto* next = BasicBlock::Create(context_, "", f_);
      Value* c = of(condition);
      b.CreateCondBr(b.CreateICmpNE(c, Constant::getNullValue(c->getType())), next, waits_);
      b.SetInsertPoint(next);
      return true;
    }
    if (steps_over(i)) return true;
    if (adds_ && takes_back(i, *adds_)) {
      take_back(b);
      return true;
    }
    if (auto* store = dyn_cast<StoreInst>(&i)) return note_store(b, *store);
    if (auto* load = dyn_cast<LoadInst>(&i)) return forward(b, *load);
    if (auto* part = dyn_cast<ExtractValueInst>(&i); part && part->getAggregateOperand() == &read_) {
      Value* v = f_->getArg(0);
      auto* cas = cast<AtomicCmpXchgInst>(&read_);
      map_[part] = part->getIndices()[0] == 0 ? v : b.CreateICmpEQ(v, of(cas->getCompareOperand()));
      return true;
    }
    if (!computes(i)) return false;
    Instruction* copied = i.clone();
    copied->dropPoisonGeneratingFlags();
    copied->dropUnknownNonDebugMetadata();
    copied->setDebugLoc({});
    for (Use& u : copied->operands()) {
      if (is_struct_of_read(u.get())) return drop(copied);
      if (!isa<Constant>(u.get())) u.set(of(u.get()));
    }
    b.Insert(copied);
    map_[&i] = copied;
    return true;
  }
  bool is_struct_of_read(const Value* v) const { return v == &read_ && read_.getType()->isStructTy(); }
  static bool drop(Instruction* i) {
    i->deleteValue();
    return false;
  }

  // The values that come along edges which are followed. The blocks from there are copied already.
  bool fill(const PHINode& phi, PHINode& copied) {
    for (const BasicBlock* from : predecessors(copied.getParent())) {
      const BasicBlock* original = original_.lookup(from);
      HEDDLE_ASSERT(original);
      Value* v = phi.getIncomingValueForBlock(original);
      if (is_struct_of_read(v)) {
        failed_ = true;
        return false;
      }
      copied.addIncoming(of(v), const_cast<BasicBlock*>(from));
    }
    return true;
  }

  // Where an edge leads: a block of its own, which the phi nodes name.
  BasicBlock* edge(BasicBlock& from, BasicBlock& to) {
    if (way_.loop && region_.comes_to_cut(to)) return arrive(from);
    if (tells_ == Tells::how && &to == read_.getParent()) return stays_;
    if (!region_.has(from, to)) return goes_on();
    BasicBlock*& between = edges_[{&from, &to}];
    if (!between) {
      between = BasicBlock::Create(context_, "", f_);
      original_[between] = &from;
      BranchInst::Create(copies_[&to], between);
    }
    return between;
  }

  // The thread comes to the cut: it waits if the state is what it was.
  BasicBlock* arrive(BasicBlock& from) {
    auto* block = BasicBlock::Create(context_, "", f_);
    IRBuilder<> b(block);
    Value* changed = b.getFalse();
    for (Instruction* i : way_.cut->state) {
      const auto* phi = dyn_cast<PHINode>(i);
      Value* now = phi && phi->getParent() == way_.cut->block ? phi->getIncomingValueForBlock(&from) : i;
      // A retry loop goes on with what it has read.
      Value* before = i == way_.retried     ? f_->getArg(0)
                      : before_.contains(i) ? f_->getArg(static_cast<unsigned>(before_.lookup(i)) + 1)
                                            : of(i);
      if (now == i && i != way_.retried && !is_in_region(*i)) continue;
      if (way_.from_outside) {
        if (!can_be_used(now) || depends_on_read(of(now))) changed = b.getTrue();
        continue;
      }
      if (!can_be_used(now)) {
        changed = b.getTrue();
        continue;
      }
      // What changes whatever has been read is a counter, or might as well be one.
      Value* after = of(now);
      if (after->getType() != before->getType()) after = b.CreateBitOrPointerCast(after, before->getType());
      changed = after == before          ? changed
                : depends_on_read(after) ? b.CreateOr(changed, differ(b, after, before))
                                         : b.getTrue();
    }
    if (const auto* first = dyn_cast_or_null<StoreInst>(way_.retried)) {
      const Slot& slot = *slot_of(*first);
      go_on_unless(b, b.CreateLoad(b.getInt1Ty(), slot.is_known));
      Value* now =
          b.CreateBitOrPointerCast(b.CreateLoad(slot.value->getAllocatedType(), slot.value), f_->getArg(0)->getType());
      changed = b.CreateOr(changed, differ(b, now, f_->getArg(0)));
    }
    if (stands_) changed = b.CreateOr(changed, b.CreateLoad(b.getInt1Ty(), stands_));
    b.CreateCondBr(changed, goes_on(), waits_);
    return block;
  }
  bool depends_on_read(const Value* v) const {
    SmallPtrSet<const Value*, 16> seen{v};
    SmallVector<const Value*, 16> open{v};
    while (!open.empty()) {
      const Value* x = open.pop_back_val();
      if (x == f_->getArg(0) || isa<PHINode>(x)) return true;  // which way the thread went may depend on it
      const auto* i = dyn_cast<Instruction>(x);
      if (!i) continue;
      for (const Value* operand : i->operand_values()) {
        if (seen.insert(operand).second) open.push_back(operand);
      }
    }
    return false;
  }
  bool can_be_used(Value* v) const { return isa<Constant>(v) || map_.lookup(v); }
  static Value* differ(IRBuilder<>& b, Value* x, Value* y) {
    Type* type = x->getType();
    if (type->isFloatingPointTy()) {
      Type* bits = b.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits()));
      x = b.CreateBitCast(x, bits);
      y = b.CreateBitCast(y, bits);
    }
    return b.CreateICmpNE(x, y);
  }

  // What the round has stored at a place, as a variable of the function.
  struct Slot {
    StoreInst* like;
    AllocaInst* value;
    AllocaInst* is_known;
  };
  void add_slot(IRBuilder<>& b, StoreInst& store) {
    if (slot_of(store)) return;
    AllocaInst* value = b.CreateAlloca(store.getValueOperand()->getType());
    AllocaInst* is_known = b.CreateAlloca(b.getInt1Ty());
    b.CreateStore(b.getFalse(), is_known);
    slots_.push_back({&store, value, is_known});
  }
  const Slot* slot_of(const Instruction& access) const {
    const auto at = find_if(slots_, [&](const Slot& s) { return is_same_place(*s.like, access); });
    return at == slots_.end() ? nullptr : &*at;
  }

  // A store that each round does anew.
  bool note_store(IRBuilder<>& b, StoreInst& store) {
    if (is_contained(way_.dead, &store)) return true;
    const Slot* slot = counts_as_plain(store) ? slot_of(store) : nullptr;
    if (!slot || (!is_contained(way_.anew, &store) && slot->like != way_.retried)) return false;
    stores_.push_back(&store);
    Value* v = store.getValueOperand();
    Type* type = slot->value->getAllocatedType();
    const bool is_known = is_same_size(v->getType(), type) && !is_struct_of_read(v) && can_be_used(v);
    if (is_known) b.CreateStore(b.CreateBitOrPointerCast(of(v), type), slot->value);
    b.CreateStore(b.getInt1(is_known), slot->is_known);
    return true;
  }
  // A load of what has been stored anew in this round. Another store may be to the same place, unless there is none.
  bool forward(IRBuilder<>& b, LoadInst& load) {
    const Slot* slot = load.isSimple() && slots_.size() == 1 ? slot_of(load) : nullptr;
    Type* type = slot ? slot->value->getAllocatedType() : nullptr;
    if (!slot || !is_same_size(type, load.getType())) return false;
    go_on_unless(b, b.CreateLoad(b.getInt1Ty(), slot->is_known));
    map_[&load] = b.CreateBitOrPointerCast(b.CreateLoad(type, slot->value), load.getType());
    return true;
  }
  bool is_same_size(Type* one, Type* other) const {
    return CastInst::isBitOrNoopPointerCastable(one, other, read_.getDataLayout());
  }
  void go_on_unless(IRBuilder<>& b, Value* condition) {
    auto* next = BasicBlock::Create(context_, "", f_);
    b.CreateCondBr(condition, next, goes_on());
    b.SetInsertPoint(next);
  }

  Instruction& read_;
  const ::heddle::frontend::Way& way_;
  const DominatorTree& dominators_;
  const OfFunction& only_pauses_;
  const OfFunction& assumes_;
  const Tells tells_;
  const AtomicRMWInst* const adds_;  // the read, if what it adds may be taken back
  const Region region_;
  LLVMContext& context_;
  Function* f_ = nullptr;
  BasicBlock* goes_on_ = nullptr;  // Tells::where: one for each place
  BasicBlock* stays_ = nullptr;    // of a look
  Function* leave_ = nullptr;
  uint32_t places_ = 0;
  AllocaInst* stands_ = nullptr;      // whether what the read has changed stands
  AllocaInst* taken_back_ = nullptr;  // whether it has been taken back
  bool undoes_ = false;
  BasicBlock* waits_ = nullptr;
  bool failed_ = false;
  SmallVector<Value*> known_;
  SmallVector<Value*> casts_;                         // of these
  DenseMap<const Instruction*, std::size_t> before_;  // of the state: the known value that it was
  SmallPtrSet<const Instruction*, 8> unknown_;        // uses something that is not known
  DenseMap<const Value*, Value*> map_;                // of the program, to the function
  DenseMap<const BasicBlock*, BasicBlock*> copies_;
  DenseMap<std::pair<const BasicBlock*, const BasicBlock*>, BasicBlock*> edges_;
  DenseMap<const BasicBlock*, const BasicBlock*> original_;  // of the block of an edge: where it comes from
  SmallVector<Slot> slots_;
  SmallVector<StoreInst*> stores_;
  SmallVector<LoadInst*> looks_;
  SmallPtrSet<const Instruction*, 8> branches_;  // that have been copied
  SmallPtrSet<const Instruction*, 8> seen_;      // uses of the value
};

}  // namespace

Built build_condition(Instruction& read, const ::heddle::frontend::Way& way, const DominatorTree& dominators,
                      const OfFunction& only_pauses, const OfFunction& assumes, Tells tells) {
  return Builder(read, way, dominators, only_pauses, assumes, tells).build();
}

}  // namespace heddle::frontend
