// Mistakes on the command line: each is named, with the remedy, and none is ignored.
// $ heddle check nothing_here.c => exit 2, "nothing_here.c: no such file"
// $ heddle check . => exit 2, "is a folder"
// $ heddle check => exit 2, "no source file given"
// $ heddle check sb.litmus => exit 2, "sb.litmus: a litmus test is not a program; use `heddle litmus`"
// $ heddle chek command_line.c => exit 2, "unknown command chek (did you mean check?)"
// $ heddle check --frobnicate command_line.c => exit 2, "unknown option --frobnicate"
// $ heddle check --unrol 3 command_line.c => exit 2, "unknown option --unrol (did you mean --unroll?)"
// $ heddle check -std=c17 command_line.c => exit 2, "-std=c17: what is for clang goes after --, as in: heddle check command_line.c -- -std=c17"
// $ heddle check --model rc1 command_line.c => exit 2, "(did you mean rc11?)"
// $ heddle completion tcsh => exit 2, "try `heddle completion bash`"
// $ heddle completion bash => exit 0, "complete -F _heddle heddle"
// $ heddle check --help-all => exit 0, "--no-closure"
// $ heddle test --help => exit 0, "--filter PATTERN"
// $ heddle check --model x86 command_line.c => exit 2, "expected one of: sc, tso, pso, ra, rc11, wrc11"
// $ heddle check --model wrc11 command_line.c => exit 2, "it has no coherence order, which spore needs"
// $ heddle check --algorithm rvf command_line.c => exit 2, "rvf explores interleavings, which are the executions of sc"
// $ heddle check --algorithm rvf --model sc --no-signals --no-closure --no-auxiliary --no-greedy command_line.c => verified, 1 executions
// $ heddle check --no-closure command_line.c => exit 2, "it is for --algorithm rvf"
// $ heddle check --algorithm rcmc --model sc command_line.c => exit 2, "rcmc is made for rc11 and wrc11"
// $ heddle check --algorithm rcmc --symmetry command_line.c => exit 2, "only spore has it"
// $ heddle check --algorithm rcmc --model wrc11 --count-duplicates command_line.c => verified, 1 executions
// $ heddle check --no-psc command_line.c => exit 2, "--no-psc: spore never explores"
// $ heddle check --algorithm rcmc --no-psc --psc command_line.c => verified, 1 executions
// $ heddle check --algorithm await command_line.c => exit 2, "use --model sc, or --algorithm spore"
// $ heddle check --algorithm await --model sc --symmetry command_line.c => exit 2, "only spore has it"
// $ heddle check --algorithm await --model sc --no-commute --commute command_line.c => verified, 1 executions
// $ heddle check --algorithm rvf --model sc --commute command_line.c => exit 2, "it is for the others"
// $ heddle check --count-duplicates command_line.c => exit 2, "spore has no duplicates"
// $ heddle check --format html command_line.c => exit 2, "expected one of: text, json, sarif"
// $ heddle litmus --format sarif command_line.litmus => exit 2, "only check has it"
// $ heddle check --jobs 2 command_line.c => verified, 1 executions
// $ heddle check --jobs 0 command_line.c => exit 2
// $ heddle check --report nowhere/r.html command_line.c => exit 2, "nowhere/r.html: cannot be written: No such file or directory"
// $ heddle check --dot . command_line.c => exit 2, "is a folder"
// $ heddle check --report command_line.c command_line.c => exit 2, "this is a source file"
// $ heddle test --report r.html command_line.c => exit 2, "--report is not an option of test"
// $ heddle check --print-ir --dot r.dot command_line.c => exit 2, "nothing is explored"
// $ heddle check --no-purity --no-await command_line.c => verified, 1 executions
// $ heddle check --no-symmetry --no-helping command_line.c => verified, 1 executions
// $ heddle check --helping --model tso command_line.c => exit 2, "proved right for sc, ra and rc11 only"
// $ heddle check --unroll many command_line.c => exit 2, "expected a whole number"
// $ heddle check --unroll=-1 command_line.c => exit 2, "expected a whole number"
// $ heddle check --time-limit 0 command_line.c => exit 2, "above 0"
// $ heddle check command_line.c --unroll => exit 2, "--unroll"
// $ heddle check --jobs 1 --model=sc command_line.c => verified, 1 executions
// $ heddle check command_line.c --algorithm spore => verified, 1 executions
// $ heddle check command_line.c -- -fno-such-flag => exit 2, "no-such-flag"
// $ heddle --version => exit 0, "heddle "
// $ heddle --help => exit 0, "--max-executions N"
// $ heddle help => exit 0, "Exit status"
// $ heddle check --help => exit 0, "usage:"
// $ heddle => exit 2, "usage:"
// $ heddle check --print-ir command_line.c => exit 0, "define"
int main(void) { return 0; }
