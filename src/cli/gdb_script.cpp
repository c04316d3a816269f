#include "cli/gdb.hpp"

namespace heddle::cli {

// heddle handles crash signals of the program itself. A suspended thread is a stack of which the top holds what
// native/fibre.hpp has put there: its registers are read from it, and put back afterwards.
const char* const kGdbScript = R"script(
set confirm off
set breakpoint pending on
set print thread-events off
handle SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT nostop noprint pass
python
import gdb

def heddle_threads():
    text = gdb.parse_and_eval('*(char **)&heddle_debug_threads').string()
    for line in text.splitlines():
        context, _, told = line.partition(' ')
        yield int(context, 16), told

class HeddleStack:
    """The registers of a suspended thread, for a while."""
    x86 = {'rip': 0, 'rbx': 8, 'rbp': 16, 'rsp': 24 + 128}
    arm = {'pc': 24, 'x29': 0, 'x30': 8, 'x19': 16, 'sp': 32}

    def __init__(self, context):
        self.context = context

    def __enter__(self):
        gdb.execute('select-frame 0')
        architecture = gdb.selected_frame().architecture().name()
        layout = self.arm if architecture.startswith('aarch64') else self.x86
        self.saved = {r: int(gdb.parse_and_eval('(unsigned long)$' + r)) for r in layout}
        at = {r: int(gdb.parse_and_eval('*(unsigned long *)%d' % (self.context + offset)))
              for r, offset in layout.items() if r not in ('rsp', 'sp')}
        for r, offset in layout.items():
            if r in ('rsp', 'sp'):
                at[r] = self.context + offset
        # Past the instructions that take the two registers from the stack: the unwinder knows the code after them.
        for r, value in at.items():
            gdb.execute('set $%s = %d' % (r, value))

    def __exit__(self, *_):
        for r, value in self.saved.items():
            gdb.execute('set $%s = %d' % (r, value))

def heddle_is_users(frame):
    found = frame.find_sal()
    return bool(found.symtab) and not found.symtab.filename.startswith('<heddle library>')

def heddle_users_frame(frame):
    while frame and not heddle_is_users(frame):
        frame = frame.older()
    return frame

class HeddleCommand(gdb.Command):
    """heddle threads | heddle thread NUMBER [COMMAND] | heddle next: the threads of the program under heddle."""
    def __init__(self):
        super().__init__('heddle', gdb.COMMAND_RUNNING, prefix=True)

class HeddleThreads(gdb.Command):
    """heddle threads: what each thread is about to do. The one that runs stands where `backtrace` says."""
    def __init__(self):
        super().__init__('heddle threads', gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        for number, (context, told) in enumerate(heddle_threads()):
            gdb.write('%d  %s\n' % (number, told))

class HeddleThread(gdb.Command):
    """heddle thread NUMBER [COMMAND]: does the command on the stack of a thread that does not run; else `backtrace`."""
    def __init__(self):
        super().__init__('heddle thread', gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = argument.split(None, 1)
        threads = list(heddle_threads())
        if not words or not words[0].isdigit() or int(words[0]) >= len(threads):
            raise gdb.GdbError('heddle thread wants a number of `heddle threads`')
        context, told = threads[int(words[0])]
        if context == 0:
            raise gdb.GdbError('this thread has not begun')
        with HeddleStack(context):
            frame = heddle_users_frame(gdb.newest_frame())
            if frame:
                frame.select()
            gdb.execute(words[1] if len(words) > 1 else 'backtrace')

class HeddleNext(gdb.Command):
    """heddle next: runs until the next visible action of the execution is done, and stops after it in its thread."""
    def __init__(self):
        super().__init__('heddle next', gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        at_action = gdb.Breakpoint('heddle_debug_action', internal=True)
        at_action.silent = True
        gdb.execute('continue', to_string=True)
        hit = at_action.hit_count > 0
        at_action.delete()
        if not hit:
            return
        register = '$x0' if gdb.selected_frame().architecture().name().startswith('aarch64') else '$rdi'
        context = int(gdb.parse_and_eval('(unsigned long)' + register))
        where = None
        with HeddleStack(context):
            frame = heddle_users_frame(gdb.newest_frame())
            where = frame.pc() if frame else None
        if where is None:
            gdb.write('this action has no place in the source\n')
            return
        gdb.execute('tbreak *%d' % where, to_string=True)
        gdb.execute('continue')

HeddleCommand()
HeddleThreads()
HeddleThread()
HeddleNext()

# Up to the main function of the program, past its first instructions.
gdb.execute('tbreak heddle_debug_ready', to_string=True)
gdb.execute('run', to_string=True)
try:
    heddle_main = int(gdb.parse_and_eval('*(unsigned long *)&heddle_debug_main'))
    heddle_line = gdb.find_pc_line(heddle_main)
    if heddle_line.symtab:
        gdb.execute('tbreak %s:%d' % (heddle_line.symtab.fullname(), heddle_line.line), to_string=True)
    else:
        gdb.execute('tbreak *%d' % heddle_main, to_string=True)
    gdb.execute('continue')
except gdb.error as e:
    gdb.write('heddle: the program cannot be followed: %s\n' % e)
end
)script";

}  // namespace heddle::cli
