// The last read of a round waits. What the round has read before it is a read like any other, and a thread that waits
// is in a livelock only if it would read the same again before it.
//
// s and the second read may find 0 and 0, 0 and the last 0, 1 and 1, or twice the last 0; only 1 and then the last 0
// blocks. Without awaits, 0 and then 1 does, too (spore leaves that out: nothing comes of a read that is not the last).
// $ heddle check two_reads.c -- -DWAIT='int s;do s=load(x);while(load(x)!=s)' -DSET='store(x,1);store(x,0)' => verified, 4 executions, 1 blocked
// $ heddle check --model sc two_reads.c -- -DWAIT='int s;do s=load(x);while(load(x)!=s)' -DSET='store(x,1);store(x,0)' => verified, 4 executions, 1 blocked
// $ heddle check --algorithm await --model sc two_reads.c -- -DWAIT='int s;do s=load(x);while(load(x)!=s)' -DSET='store(x,1);store(x,0)' => verified, 4 executions, 1 blocked
// $ heddle check --no-await two_reads.c -- -DWAIT='int s;do s=load(x);while(load(x)!=s)' -DSET='store(x,1);store(x,0)' => verified, 4 executions
// $ heddle check --algorithm await --model sc --no-await two_reads.c -- -DWAIT='int s;do s=load(x);while(load(x)!=s)' -DSET='store(x,1);store(x,0)' => verified, 4 executions, 2 blocked
//
// It waits for y; x may let it go, too.
// $ heddle check --no-purity two_reads.c -- -DWAIT='while(load(x)&&load(y)){}' -DBEFORE='x=y=1' -DSET='store(y,0)' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity two_reads.c -- -DWAIT='while(load(x)&&load(y)){}' -DBEFORE='x=y=1' -DSET='store(x,0)' => verified, 1 executions, 1 blocked
// $ heddle check --no-purity --algorithm rcmc two_reads.c -- -DWAIT='while(load(x)&&load(y)){}' -DBEFORE='x=y=1' -DSET='store(x,0)' => verified, 1 executions
// $ heddle check --no-purity --algorithm await --model sc two_reads.c -- -DWAIT='while(load(x)&&load(y)){}' -DBEFORE='x=y=1' -DSET='store(x,0)' => verified, 1 executions, 1 blocked
// $ heddle check --no-purity two_reads.c -- -DWAIT='while(load(x)&&load(y)){}' -DBEFORE='x=y=1' -DSET='store(x,2)' => error livelock
// $ heddle check --no-purity --algorithm rcmc two_reads.c -- -DWAIT='while(load(x)&&load(y)){}' -DBEFORE='x=y=1' -DSET='store(x,2)' => error livelock
// $ heddle check --no-purity --algorithm await --model sc two_reads.c -- -DWAIT='while(load(x)&&load(y)){}' -DBEFORE='x=y=1' -DSET='store(x,2)' => error livelock
// $ heddle check --no-purity two_reads.c -- -DWAIT='while(load(x)||load(y)){}' -DBEFORE='x=y=1' -DSET='store(x,0);store(y,0)' => verified, 1 executions
// $ heddle check --no-purity two_reads.c -- -DWAIT='while(load(x)||load(y)){}' -DBEFORE='x=y=1' -DSET='store(x,0)' => error livelock
// $ heddle check --no-purity --algorithm await --model sc two_reads.c -- -DWAIT='while(load(x)||load(y)){}' -DBEFORE='x=y=1' -DSET='store(x,0);store(x,1)' => error livelock
//
// What the first read finds says whether the second one matters, where it reads, and with what it is compared.
// $ heddle check --no-purity two_reads.c -- -DWAIT='for(;;){int a=load(x),b=load(y);if(a||b)break;}' -DSET='store(y,1)' => verified, 1 executions, 0 blocked
// $ heddle check --no-purity two_reads.c -- -DWAIT='for(;;){int a=load(x),b=load(y);if(a&&b)break;}' -DSET='store(y,1);store(x,1)' => verified, 1 executions, 1 blocked
// $ heddle check --no-purity two_reads.c -- -DWAIT='for(;;){int a=load(x),b=load(y);if(a&&b)break;}' -DSET='store(x,1)' => error livelock
// $ heddle check --no-purity two_reads.c -- -DWAIT='while(!load(z[load(x)])){}' -DSET='store(z[1],1);store(x,1)' => verified, 1 executions, 1 blocked
// $ heddle check --no-purity two_reads.c -- -DWAIT='while(!load(z[load(x)])){}' -DSET='store(z[0],1);store(x,1)' => error livelock
//
// A round that takes the lock has changed something: it cannot be left out.
// $ heddle check two_reads.c -- -DWAIT='for(;;){while(exchange(x,1)==1){}if(load(y))break;}' -DSET='store(y,1)' => error livelock
// $ heddle check --algorithm await --model sc two_reads.c -- -DWAIT='for(;;){while(exchange(x,1)==1){}if(load(y))break;}' -DSET='store(y,1)' => error livelock
//
// Nor one that fails, or writes.
// $ heddle check two_reads.c -- -DWAIT='int v;while((v=load(x))!=1)heddle_assert(v!=2)' -DSET='store(x,2);store(x,1)' => error assertion
// $ heddle check two_reads.c -- -DWAIT='int v;while((v=load(x))!=1)if(10/(v-2)>100)break' -DSET='store(x,2);store(x,1)' => error crash
// $ heddle check two_reads.c -- -DWAIT='while(!load(x))strcpy(text,"late");assert(!*text)' -DSET='store(x,1)' => error assertion
// $ heddle check two_reads.c -- -DWAIT='while(load(x)!=1)if(heddle_choose(2)){assert(0);}' -DSET='store(x,1)' => error assertion
//
// Plain memory that others may change is read again as well.
// $ heddle check --races ignore --no-purity two_reads.c -- -DWAIT='while(plain!=load(x)){}' -DBEFORE='x=1' -DSET='plain=1' => verified, 1 executions, 1 blocked
// $ heddle check --races ignore --no-purity two_reads.c -- -DWAIT='while(plain!=load(x)){}' -DBEFORE='x=1' -DSET='plain=2' => error livelock
//
// The last write lets nobody go on. Whoever has read it turns round for ever, be it in an await or not.
// $ heddle check --algorithm rcmc two_reads.c -- -DWAIT='while(load(x)!=1){}' -DSET='store(x,2)' => error livelock
// $ heddle check --algorithm rcmc --no-await two_reads.c -- -DWAIT='while(load(x)!=1){}' -DSET='store(x,2)' => error livelock
// $ heddle check --no-await two_reads.c -- -DWAIT='while(load(x)!=1){}' -DSET='store(x,2)' => error livelock
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define load(a) atomic_load_explicit(&a, memory_order_acquire)
#define store(a, v) atomic_store_explicit(&a, v, memory_order_release)
#define exchange(a, v) atomic_exchange_explicit(&a, v, memory_order_acq_rel)
#ifndef BEFORE
#define BEFORE
#endif

static atomic_int x, y, z[2];
static int plain;
static char text[8];

static void* sender(void* unused) {
  SET;
  return unused;
}

static void* receiver(void* unused) {
  WAIT;
  return unused;
}

int main(void) {
  (void)text, (void)y, (void)z, (void)plain;
  BEFORE;
  pthread_t s, r;
  pthread_create(&s, 0, sender, 0);
  pthread_create(&r, 0, receiver, 0);
  pthread_join(s, 0);
  pthread_join(r, 0);
  return 0;
}
