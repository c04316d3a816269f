// What gdb is told: how to get to the program's main function, and commands that know of heddle's threads.
//
// heddle handles crash signals of the program itself. A suspended thread is a stack of which the top holds what
// native/fibre.hpp has put there: its registers are read from it, and put back afterwards.
#include "cli/gdb.hpp"

namespace heddle::cli {

const char* const kGdbScript = R"script(
set confirm off
set breakpoint pending on
set print thread-events off
handle SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT SIGSYS nostop noprint pass
python
import gdb

def heddle_text(name):
    return gdb.parse_and_eval('*(char **)&' + name).string()

def heddle_threads():
    for line in heddle_text('heddle_debug_threads').splitlines():
        context, _, told = line.partition(' ')
        yield int(context, 16), told

class HeddleStack:
    """The registers of a suspended thread, for a while."""
    x86 = {'rip': 0, 'rbx': 8, 'rbp': 16, 'rsp': 24 + 128}
    arm = {'pc': 24, 'x29': 0, 'x30': 8, 'x19': 16, 'sp': 32}

    def __init__(self, context):
        self.context = context

    @staticmethod
    def put(registers):
        for r, value in registers.items():
            gdb.newest_frame().select()  # in another frame, a register is where that frame has saved it
            gdb.execute('set $%s = %d' % (r, value))

    def __enter__(self):
        gdb.newest_frame().select()
        architecture = gdb.selected_frame().architecture().name()
        layout = self.arm if architecture.startswith('aarch64') else self.x86
        self.saved = {r: int(gdb.parse_and_eval('(unsigned long)$' + r)) for r in layout}
        at = {r: int(gdb.parse_and_eval('*(unsigned long *)%d' % (self.context + offset)))
              for r, offset in layout.items() if r not in ('rsp', 'sp')}
        for r, offset in layout.items():
            if r in ('rsp', 'sp'):
                at[r] = self.context + offset
        self.put(at)

    def __exit__(self, *_):
        self.put(self.saved)

def heddle_is_users(frame):
    found = frame.find_sal()
    if not found.symtab:
        return False
    path = found.symtab.fullname()
    return '<heddle library>' not in path and not path.startswith(('/usr/include/', '/usr/lib/'))

def heddle_code_frame(frame):
    """The first frame of the program's own code, the library's included."""
    while frame and not frame.find_sal().symtab:
        frame = frame.older()
    return frame

def heddle_silent_stop(where):
    stop = gdb.Breakpoint(where, internal=True)
    stop.silent = True
    return stop

def heddle_users_frame(frame):
    while frame and not heddle_is_users(frame):
        frame = frame.older()
    return frame

def heddle_show_users_frame():
    frame = heddle_users_frame(gdb.newest_frame())
    if frame:
        frame.select()
        gdb.execute('frame')

class HeddleStop(gdb.Breakpoint):
    """Where the execution ends: once."""
    over = False

    def __init__(self, where, told):
        super().__init__(where, internal=True)
        self.silent = True
        self.told = told

    def stop(self):
        first = not HeddleStop.over
        HeddleStop.over = True
        return first

def heddle_stopped(event):
    for stop in getattr(event, 'breakpoints', []):
        if isinstance(stop, HeddleStop):
            gdb.write(stop.told.replace('@', heddle_text('heddle_debug_error')) + '\n')
            heddle_show_users_frame()

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
        if gdb.selected_inferior().pid == 0:
            raise gdb.GdbError('the program has ended')
        at_action = heddle_silent_stop('heddle_debug_action')
        gdb.execute('continue')
        try:
            hit = at_action.hit_count > 0
            at_action.delete()
        except RuntimeError:  # the program has ended
            hit = False
        if not hit:
            return
        gdb.write(heddle_text('heddle_debug_doing') + '\n')
        register = '$x0' if gdb.selected_frame().architecture().name().startswith('aarch64') else '$rdi'
        context = int(gdb.parse_and_eval('(unsigned long)' + register))
        where = None
        with HeddleStack(context):
            frame = heddle_code_frame(gdb.newest_frame())
            where = frame.pc() if frame else None
        if where is None:
            return  # the end of a thread
        after = heddle_silent_stop('*%d' % where)
        gdb.execute('continue')
        try:
            hit = after.hit_count > 0
            after.delete()
        except RuntimeError:
            return
        if hit:
            heddle_show_users_frame()

HeddleCommand()
HeddleThreads()
HeddleThread()
HeddleNext()

# Up to the main function of the program, past its first instructions.
heddle_ready = heddle_silent_stop('heddle_debug_ready')
gdb.execute('run', to_string=True)
try:
    heddle_ready.delete()
    heddle_main = int(gdb.parse_and_eval('*(unsigned long *)&heddle_debug_main'))
    heddle_line = gdb.find_pc_line(heddle_main)
    if heddle_line.symtab:
        gdb.execute('tbreak %s:%d' % (heddle_line.symtab.fullname(), heddle_line.line), to_string=True)
    else:
        gdb.execute('tbreak *%d' % heddle_main, to_string=True)
    HeddleStop('-qualified heddle::fail', 'heddle: here is the error')
    HeddleStop('heddle_debug_end', 'heddle: the execution ends here@; `heddle threads` says where each thread stands')
    gdb.events.stop.connect(heddle_stopped)
    gdb.execute('continue')
except gdb.error as e:
    gdb.write('heddle: the program cannot be followed: %s\n' % e)
end
)script";

}  // namespace heddle::cli
