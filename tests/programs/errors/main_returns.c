// main's status counts like exit's.
// $ heddle check main_returns.c => error exit, "5"
int main(void) { return 5; }
