// One read decides, in many ways. Each wait is in the read itself, so that the loops need nothing else.
// $ heddle check --no-purity forms.c -- -DWAIT='while(!load(x)){}' -DSET='x=1' => verified, 1 executions
// $ heddle check --no-purity forms.c -- -DWAIT='while(load(x)!=mine){}' -DSET='x=7' => verified, 1 executions
// $ heddle check --no-purity forms.c -- -DWAIT='while((load(x)&6)==0){}' -DSET='x=5' => verified, 1 executions
// $ heddle check --no-purity forms.c -- -DWAIT='while(load(x)>=0){}' -DSET='x=-1' => verified, 1 executions
// $ heddle check --no-purity forms.c -- -DWAIT='while((unsigned)load(x)<8){}' -DSET='x=-1' => verified, 1 executions
// $ heddle check --no-purity forms.c -- -DWAIT='while(!(char)load(x)){}' -DSET='x=1' => verified, 1 executions
// $ heddle check --no-purity forms.c -- -DWAIT='while(!(char)load(x)){}' -DSET='x=256' => error livelock
// $ heddle check --no-purity forms.c -- -DWAIT='while((load(x)&6)==0){}' -DSET='x=1' => error livelock
// $ heddle check --no-purity forms.c -- -DWAIT='while(load(x)>=0){}' -DSET='x=1' => error livelock
// $ heddle check --no-purity forms.c -- -DWAIT='while(exchange(x,0)==0){}' -DSET='x=1' => verified, 1 executions
// $ heddle check --no-purity forms.c -- -DWAIT='while(exchange(x,1)==1){}x=0' -DBEFORE='x=1' -DSET='x=0' => verified, 1 executions
// $ heddle check --no-purity forms.c -- -DWAIT='while(set_bits(x,4)&4){}x=0' -DBEFORE='x=5' -DSET='x=1' => verified, 1 executions
// $ heddle check forms.c -- -DWAIT='int e=3;while(!cas(x,e,1))e=3;x=0' -DSET='x=3' => verified, 1 executions
// $ heddle check --no-purity forms.c -- -DWAIT='do{while(load(x)){}}while(exchange(x,1))' -DBEFORE='x=1' -DSET='x=0' => verified, 1 executions
// $ heddle check --no-purity forms.c -- -DWAIT='for(;;){int v=load(x);if(v==1||v>5)break;}' -DSET='x=3;x=7' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='for(;;){int v=load(x);if(v==1||v>5)break;}' -DSET='x=3;x=5' => error livelock
// $ heddle check --no-purity --algorithm rcmc forms.c -- -DWAIT='for(;;){int v=load(x);if(v==1||v>5)break;}' -DSET='x=3;x=1' => verified, 1 executions
// $ heddle check --no-purity --algorithm await --model sc forms.c -- -DWAIT='for(;;){int v=load(x);if(v==1||v>5)break;}' -DSET='x=3;x=1' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='int v;do v=load(x);while(v>=-1&&v<=1)' -DSET='x=1;x=-2' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='int v;do v=load(x);while(v>=-1&&v<=1)' -DSET='x=-1' => error livelock
// $ heddle check --no-purity forms.c -- -DWAIT='int v;do v=load(x);while((unsigned)v<4||v==1000000)' -DSET='x=1000000;x=-2' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity --algorithm await --model sc forms.c -- -DWAIT='int v;do v=load(x);while((unsigned)v<4||v==1000000)' -DSET='x=-2;x=1000000' => error livelock
// $ heddle check --no-purity forms.c -- -DWAIT='for(;;){int v=load(x);if((v&8)||v==mine)break;}' -DSET='x=6;x=7' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='for(;;){int v=load(x);if((v&8)||v==mine)break;}' -DSET='x=6;x=9' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity --algorithm rcmc forms.c -- -DWAIT='for(;;){int v=load(x);if((v&8)||v==mine)break;}' -DSET='x=7;x=6' => error livelock
// $ heddle check --no-purity --model sc forms.c -- -DWAIT='for(;;){int v=load(x);if((v&8)&&v!=mine)break;}' -DSET='x=7;x=8' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='again:switch(load(x)){case 1:case 3:case -5:break;default:goto again;}' -DSET='x=2;x=-5' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='again:switch(load(x)){case 0:case 3:case -5:goto again;}' -DSET='x=3;x=1' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='again:switch(load(x)){case 1:case 3:case -5:break;default:goto again;}' -DSET='x=1;x=-4' => error livelock
// $ heddle check --no-purity forms.c -- -DWAIT='for(;;){_Bool a=load(x)>0;if(a)break;}' -DSET='x=-1;x=1' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='while(exchange(x,mine)!=0){}' -DBEFORE='x=7' -DSET='x=0' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='while(!(atomic_fetch_and(&x,~1)&1)){}' -DSET='x=1' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='while(!load(x))atomic_thread_fence(memory_order_seq_cst)' -DSET='x=1' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='for(;;){int v=load(x);if(v==0||v>mine+1||(v==mine&&mine>3))break;}' -DBEFORE='x=1' -DSET='x=6;x=7' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='for(;;){int v=load(x);if(v==0||v>mine+1||(v==mine&&mine>3))break;}' -DBEFORE='x=1' -DSET='x=8;x=9' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='for(;;){int v=load(x);if(v==0||v>mine+1||(v==mine&&mine>3))break;}' -DBEFORE='x=1' -DSET='x=9;x=8' => error livelock
// $ heddle check --no-purity --algorithm rcmc forms.c -- -DWAIT='for(;;){int v=load(x);if(v==0||v>mine+1||(v==mine&&mine>7))break;}' -DBEFORE='x=1' -DSET='x=7' => error livelock
// $ heddle check --no-purity --algorithm await --model sc forms.c -- -DWAIT='int v;do v=load(x);while(v>=-mine&&v<mine*mine&&v!=mine)' -DSET='x=48;x=49' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='int v;do v=load(x);while(v>=-mine&&v<mine*mine&&v!=mine)' -DSET='x=-7;x=-8' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='int v;do v=load(x);while(v>=-mine&&v<mine*mine&&v!=mine)' -DSET='x=-7' => error livelock
// $ heddle check --no-purity forms.c -- -DWAIT='while((unsigned)mine-(unsigned)load(x)>=4){}' -DSET='x=3;x=4' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='while((unsigned)mine-(unsigned)load(x)>=4){}' -DSET='x=8' => error livelock
// $ heddle check --no-purity forms.c -- -DWAIT='while((unsigned)mine-(unsigned)load(x)>=4){}' -DSET='x=4;x=3' => error livelock
// $ heddle check --no-purity forms.c -- -DWAIT='while((unsigned)load(x)-(unsigned)mine>2){}' -DSET='x=6;x=9' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='while((unsigned)load(x)-(unsigned)mine>2){}' -DSET='x=10' => error livelock
// $ heddle check --no-purity forms.c -- -DWAIT='while((unsigned)load(x)+3u<9u){}' -DSET='x=5;x=6' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='while((unsigned)load(x)+3u<9u){}' -DSET='x=-3' => error livelock
// $ heddle check --no-purity forms.c -- -DWAIT='while((unsigned)load(x)-(unsigned)mine!=5u){}' -DSET='x=11;x=12' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='while((unsigned)mine-(unsigned)load(x)==7u){}' -DSET='x=1' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity forms.c -- -DWAIT='unsigned t;while((t=load(x))!=(unsigned)mine)if(mine-t>1)sched_yield()' -DSET='x=6;x=7' => verified, 1 executions, 0 blocked
// $ heddle check forms.c -- -DWAIT='for(;;){unsigned v=load(x);if(v==0)continue;if(v-mine>=3)continue;break;}' -DSET='x=8' => verified, 1 executions, 0 blocked
// $ heddle check forms.c -- -DWAIT='for(;;){unsigned v=load(x);if(v==0)continue;if(v-mine>=3)continue;break;}' -DSET='x=10' => error livelock
// $ heddle check forms.c -- -DT=long -DWAIT='long most=mine*(1L<<40);long v;do v=load(x);while(v>-mine&&v<most&&v!=mine)' -DSET='x=1L<<42;x=1L<<43' => verified, 1 executions
// $ heddle check forms.c -- -DT=long -DWAIT='long most=mine*(1L<<40);long v;do v=load(x);while(v>-mine&&v<most&&v!=mine)' -DSET='x=1L<<42' => error livelock
// $ heddle check forms.c -- -DT='unsigned long' -DWAIT='while(load(x)-(unsigned long)mine>=1UL<<62){}' -DSET='x=6;x=1UL<<61' => verified, 1 executions
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define load(a) atomic_load_explicit(&a, memory_order_acquire)
#define exchange(a, v) atomic_exchange_explicit(&a, v, memory_order_acq_rel)
#define set_bits(a, v) atomic_fetch_or_explicit(&a, v, memory_order_acq_rel)
#define cas(a, e, v) atomic_compare_exchange_strong(&a, &e, v)
#ifndef BEFORE
#define BEFORE
#endif

#ifndef T
#define T int
#endif

static _Atomic(T) x;
static int message;

static void* sender(void* unused) {
  message = 1;
  SET;
  return unused;
}

static void* receiver(void* argument) {
  const int mine = *(int*)argument;
  (void)mine;
  WAIT;
  message = 2;
  return 0;
}

int main(void) {
  static int seven = 7;
  BEFORE;
  pthread_t s, r;
  pthread_create(&s, 0, sender, 0);
  pthread_create(&r, 0, receiver, &seven);
  pthread_join(s, 0);
  pthread_join(r, 0);
  return message != 2;
}
