// What heddle does not have is said to be not supported, with what to do instead; what nobody has must be defined.
// $ heddle check unsupported.c -- -DUSE=fork() => exit 2, "'fork' is not supported: a test is one process"
// $ heddle check unsupported.c -- -DUSE=pthread_cancel(0) => exit 2, "threads cannot be cancelled"
// $ heddle check unsupported.c -- -DUSE=sem_open(0) => exit 2, "a test is one process; use sem_init"
// $ heddle check unsupported.c -- -DUSE=fclose(0) => exit 2, "put the data into the program"
// $ heddle check unsupported.c -- -DUSE=raise(9) => exit 2, "there are no signals"
// $ heddle check unsupported.c -- -DUSE=dlclose(0) => exit 2, "give the source of the library"
// $ heddle check unsupported.c -- -DUSE=glob(0) => exit 2, "'glob' is not supported"
// $ heddle check unsupported.c -- -DUSE=signature(1) => exit 2, "call of undefined function 'signature': define it"
// $ heddle check unsupported.c -- -DUSE=open_door(1) => exit 2, "call of undefined function 'open_door': define it"
// $ heddle check unsupported.c -- -DUSE=(stdout=0,1) => exit 2, "unsupported.c:26: 'stdout' can only be read"
// $ heddle check unsupported.c -- -DUSE=fclose(&stderr) => exit 2, "'stderr' can only be read"
// $ heddle check unsupported.c -- -DUSE=stderr==stdout => verified
#define DECLARE(name) extern int name()
DECLARE(fork);
DECLARE(pthread_cancel);
DECLARE(sem_open);
DECLARE(fclose);
DECLARE(raise);
DECLARE(dlclose);
DECLARE(glob);
DECLARE(signature);
DECLARE(open_door);
extern void *stdout, *stderr;

int main(void) { return USE; }
