// With -DSC all accesses are SC (RCMC, Table 7). To be included after <stdatomic.h>.
#ifdef SC
#define memory_order_relaxed memory_order_seq_cst
#define memory_order_acquire memory_order_seq_cst
#define memory_order_release memory_order_seq_cst
#define memory_order_acq_rel memory_order_seq_cst
#endif
