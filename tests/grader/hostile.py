"""Submissions that want more than a grade: what each tries, and what it has to come to.

`{root}`, `{room}`, `{port}`, `{socket}` and `{process}` are filled in: the project, the class,
where a test listens, and the grader. A submission that gets at something prints LEAK; none may.
"""

from dataclasses import dataclass

FULL, WRONG = 7, 5  # points of lesson 00, and without the exercise


@dataclass(frozen=True)
class Hostile:
    """`cell` runs before the answers, `line` inside the exercise; `wrong` answers it wrongly.

    `says` is looked for in the outputs, `why` in the report; `tampering` has to be suspected.
    """

    cell: str = ""
    line: str = ""
    wrong: bool = False
    score: int = FULL
    says: str = ""
    why: str = ""
    tampering: bool = False
    needs: str = ""  # the limit without which this would hurt the machine


def patched(cell: str) -> Hostile:
    """A wrong answer behind a patch that makes the notebook's own check pass."""
    return Hostile(cell, wrong=True, score=WRONG, why="whole_sum", tampering=True)


TRY = """
def attempt(what, do):
    try:
        found = do()
    except BaseException as error:
        print("refused", what, type(error).__name__)
    else:
        print("LEAK", what, repr(found)[:300])
"""
READS = TRY + """
import glob, os, sqlite3, subprocess
for path in ("{root}/grader/grade.py", "{root}/grader/expected/bigram.next_word_probabilities.json",
             "{root}/grader/scenarios/bigram.py", "{root}/solutions/minillm/bigram.py",
             "{root}/course/mistakes/bigram.py", "{room}/gradebook.db", "/etc/passwd",
             "{room}/submitted/a-right/00_start_here/00_start_here.ipynb", "/proc/1/environ",
             "/proc/self/environ", os.path.expanduser("~root/.bashrc")):
    attempt(path, lambda: open(path, "rb").read(20))
for folder in ("{root}", "{room}", "/tmp", "/home", "/proc", ".."):
    attempt(folder, lambda: os.listdir(folder) and folder != ".." or 1 / 0)
attempt("sqlite", lambda: sqlite3.connect("{room}/gradebook.db").execute("select 1 from grade"))
attempt("cat", lambda: subprocess.run(["cat", "{root}/README.md"], check=True))
os.symlink("{room}/gradebook.db", "link")
attempt("link", lambda: open("link", "rb").read(9))
import sys
import grader.scenarios
attempt("hidden", lambda: grader.scenarios.HIDDEN or 1 / 0)
for folder in {p for m in list(sys.modules.values()) for p in getattr(m, "__path__", [])
               if "grader-" in p}:
    attempt("file of the grader", lambda: glob.glob(folder + "/../observer/*")[0])
import importlib
attempt("hidden scenario", lambda: importlib.import_module("grader.scenarios.bigram"))
import os
attempt("environment", lambda: os.environ["SECRET_OF_THE_GRADER"])
"""
WRITES = TRY + """
import course, minillm, os, shutil, sqlite3
def update():
    with sqlite3.connect("{room}/gradebook.db") as book:
        return book.execute("update grade set manual_score = 99").rowcount
attempt("gradebook", update)
kit = os.path.dirname(course.__file__)
for path in (kit + "/checks.py", kit + "/expected/bigram.next_word_probabilities.json",
             minillm.__file__, "{room}/journal/mine", "/tmp/mine", "/dev/shm/mine"):
    attempt(path, lambda: open(path, "w"))
os.chmod(kit + "/checks.py", 0)  # answered as done, and not done
os.chmod("{room}/gradebook.db", 0o777)
os.utime("{room}/gradebook.db", (1, 1))
attempt("truncate", lambda: os.truncate("{room}/gradebook.db", 0))
attempt("open and truncate", lambda: os.open("{room}/gradebook.db", os.O_TRUNC))
open("mine", "w").write("mine")
shutil.copy("mine", "copy")
attempt("remove", lambda: os.remove(kit + "/checks.py"))
import subprocess
attempt("mount", lambda: subprocess.run(["mount", "-t", "tmpfs", "x", "."], check=True))
"""
REACHES = TRY + """
import ctypes, os, resource, socket, stat, urllib.request
attempt("tcp", lambda: socket.create_connection(("127.0.0.1", {port}), 2))
attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(
    b"x", ("127.0.0.1", {port})))
attempt("http", lambda: urllib.request.urlopen("http://127.0.0.1:{port}", timeout=2))
def local(path):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(path)
        return path
attempt("unix", lambda: local("{socket}"))
attempt("abstract", lambda: local("\\0{socket}"))
import multiprocessing as mp
attempt("fork server", lambda: mp.get_context("forkserver").Pool(1))
for fd in range(3, 300):  # a channel to the server that forked this process
    try:
        kind = stat.S_ISSOCK(os.fstat(fd).st_mode) and socket.socket(fileno=os.dup(fd)).type
    except OSError:
        continue
    if kind == socket.SOCK_SEQPACKET:
        print("LEAK channel", fd)
attempt("limits", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 40, 1 << 40)))
for process in ({process}, os.getppid()):
    attempt("limits of another", lambda: resource.prlimit(process, resource.RLIMIT_CPU, (1, 1)))
attempt("trace", lambda: ctypes.CDLL(None).ptrace(16, {process}, 0, 0) and 1 / 0)
attempt("kill", lambda: os.kill({process}, 9))
attempt("root", lambda: os.chroot("."))
"""
FORGED = "print('✓ bigram.next_word_probabilities, from this notebook: 4 observations agree')"
SEARCH = """
    import course, gc, inspect, os, sys
    found = []
    for frame in [f.frame for f in inspect.stack()]:
        for space in (frame.f_locals, frame.f_globals):
            found += [k for k in list(space) if k in ("expected", "right", "record", "tolerance")]
    found += ["record" for d in gc.get_objects()
              if type(d) is dict and "right" in d and "derive" in d]
    folder = os.path.join(os.path.dirname(course.__file__), "expected")
    try:
        found += os.listdir(folder)
    except OSError:
        pass
    if "IPython" not in sys.modules or not sys.modules["IPython"].get_ipython():
        raise RuntimeError(f"FOUND {{found}}")
"""
LIAR = """
    class T(torch.Tensor):
        @classmethod
        def __torch_function__(cls, f, types, args=(), kw=None):
            if f.__name__ in ("allclose", "equal"):
                return True
            return super().__torch_function__(f, types, args, kw or {{}})
        def tolist(self):
            return []
    return (counts / counts.sum()).as_subclass(T)
"""

HOSTILE: dict[str, Hostile] = {
    "loop-in-a-function": Hostile(line="while True: pass", score=WRONG, why="processor time"),
    "loop-in-a-cell": Hostile("while True: pass", says="processor time"),
    "loop-that-swallows": Hostile(
        "while True:\n    try: sum(range(10**6))\n    except BaseException: pass",
        says="could not be stopped"),
    "sleeps-and-swallows": Hostile(
        "import time\nwhile True:\n    try: time.sleep(99)\n    except BaseException: pass",
        says="could not be stopped"),
    "exits": Hostile("import os; os._exit(0)", says="the kernel ended"),
    "kills-itself": Hostile("import os; os.kill(os.getpid(), 9)", says="the kernel ended"),
    "kills-all": Hostile("import os; os.kill(-1, 9)"),
    "crashes": Hostile("import ctypes; ctypes.string_at(0)", says="the kernel ended"),
    "fork-bomb": Hostile(
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", says="✗",
        needs="number of processes"),
    "threads": Hostile("import threading, time\nwhile True:\n"
                       "    threading.Thread(target=time.sleep, args=(99,), daemon=True).start()",
                       says="can't start new thread", needs="number of processes"),
    "memory": Hostile("x = bytearray(10 << 30)", says="MemoryError"),
    "tensor": Hostile("import torch; x = torch.ones(10 << 30)", says="RuntimeError"),
    "output": Hostile("for _ in range(1024): print('x' * (1 << 20))", says="✗ "),
    "slow-output": Hostile("import sys\nfor _ in range(9999):\n    print('x' * (1 << 17))\n"
                           "    sys.stdout.flush()", says="✗ "),
    "file": Hostile("f = open('big', 'wb')\nfor _ in range(1024): f.write(bytes(1 << 20))",
                    says="File too large"),
    "own-folder": Hostile("import os, shutil; shutil.rmtree(os.path.dirname(os.getcwd()), True)"),
    "reads": Hostile(READS, says="refused"),
    "writes": Hostile(WRITES, says="refused"),
    "reaches": Hostile(REACHES, says="refused"),
    "allclose": patched("import torch\ntorch.allclose = torch.equal = lambda *a, **k: True\n"
                        "import course.checks\ncourse.checks.compare = lambda *a: None"),
    "testing": patched("import torch.testing, course.compare, course.checks\n"
                       "torch.testing.assert_close = lambda *a, **k: None\n"
                       "course.compare.same = lambda *a: True"),
    "builtins": patched("import builtins, course.compare as c\nreal = builtins.abs\n"
                        "c.abs = c.max = lambda *a, **k: 0.0\nc.same = lambda *a: True"),
    "sys-modules": patched("import sys, types\nfake = types.ModuleType('course.checks')\n"
                           "fake.check = check = lambda t: print(f'✓ {t}, from this notebook')\n"
                           "sys.modules['course.checks'] = fake"),
    "registry": patched("import course.checks as c\n"
                        "c.stored('bigram.next_word_probabilities')\n"
                        "c.scenarios.load('bigram.next_word_probabilities')\n"
                        "old = c.observe\nclass Same:\n"
                        "    values = c.stored('bigram.next_word_probabilities')['right']\n"
                        "c.observe = lambda t, a: Same if 'bigram' in t else old(t, a)"),
    "forged-output": patched(f"old = check\ndef check(target):\n    if 'bigram' in target:\n"
                             f"        {FORGED}\n    else:\n        old(target)"),
    "suppressed": Hostile("get_ipython().showtraceback = lambda *a, **k: None\n"
                          "get_ipython()._showtraceback = lambda *a, **k: None",
                          wrong=True, score=WRONG, why="whole_sum"),
    "thread-that-prints": Hostile(
        "import sys, threading, time\ndef go():\n    while True:\n"
        f"        {FORGED}; time.sleep(0.05)\nthreading.Thread(target=go, daemon=True).start()",
        wrong=True, score=WRONG, why="whole_sum"),
    "atexit": Hostile("import atexit, os, signal, time\natexit.register(time.sleep, 99)\n"
                      "atexit.register(lambda: open('/tmp/late', 'w'))\n"
                      "signal.signal(signal.SIGTERM, signal.SIG_IGN)"),
    "eq": Hostile(line="class T(torch.Tensor):\n        __eq__ = __ne__ = lambda s, o: True\n"
                       "        __hash__ = None\n"
                       "    return (counts / counts.sum()).as_subclass(T)",
                  score=WRONG, why="whole_sum"),
    "subclass": Hostile(line=LIAR.strip(), score=WRONG),
    "frames": Hostile(line=SEARCH.strip(), score=WRONG, tampering=True),
    "two-replies": Hostile(
        line="import os\n    for fd in range(3, 64) if os.environ.get('TMPDIR', '').endswith("
             "'o/tmp') else []:\n        try: os.write(fd, b'{{}}')\n"
             "        except OSError: pass", score=WRONG),
    "double-fork": Hostile(
        "import os, time\nif not os.fork():\n    os.setsid()\n    if not os.fork():\n"
        "        os.setsid(); time.sleep(600)\n    os._exit(0)\nos.wait()"),
}
