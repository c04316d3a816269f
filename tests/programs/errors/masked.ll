; Elements that a mask selects are accesses, others are not. Called by masked.c.
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v2i32.v2p0(<2 x i32>, <2 x ptr>, i32, <2 x i1>)

define i32 @second_of_three(ptr %p) {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x i32> zeroinitializer)
  %e = extractelement <4 x i32> %v, i32 1
  ret i32 %e
}

define void @store_second(ptr %p, ptr %q) {
  %one = insertelement <2 x ptr> poison, ptr %p, i32 0
  %both = insertelement <2 x ptr> %one, ptr %q, i32 1
  call void @llvm.masked.scatter.v2i32.v2p0(<2 x i32> <i32 5, i32 7>, <2 x ptr> %both, i32 4, <2 x i1> <i1 false, i1 true>)
  ret void
}
