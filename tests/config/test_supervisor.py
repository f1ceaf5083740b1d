"""Children of `make run` are watched, restarted and, in the end, gone; with real processes."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from config.local.child import Child, Program
from config.local.supervisor import RESTARTS, Failed, StopAsked, Supervisor, described

# Starts a child of its own that ignores polite signals, writes both ids, and waits, ignoring them too.
STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
inner = subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(15, 1); time.sleep(600)"])
open("ids", "w").write(f"{os.getpid()} {inner.pid}")
time.sleep(600)
"""


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def handlers():
    """Whatever the supervisor does to this process's signal handlers is undone."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def supervisor(said, handlers):
    with Supervisor(env=os.environ, say=said.append) as made:
        yield made


def program(folder: Path, source: str, *, name: str = "trial") -> Program:
    return Program(name, [sys.executable, "-c", source], folder / f"{name}.log", folder)


def alive(pid: int) -> bool:
    """Runs, and is not merely waiting to be collected by whoever inherits it."""
    status = Path(f"/proc/{pid}/stat")
    if status.exists():
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not Path("/proc").joinpath("self").exists()


def wait_for(path: Path) -> str:
    deadline = time.monotonic() + 120
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < deadline, f"{path} did not come"
        time.sleep(0.02)
    return path.read_text()


@pytest.mark.slow
def test_killing_a_child_takes_its_own_children_along(tmp_path):
    child = Child(program(tmp_path, STUBBORN), env=os.environ)
    pids = [int(pid) for pid in wait_for(tmp_path / "ids").split()]
    assert all(alive(pid) for pid in pids)
    child.ask_to_stop()
    time.sleep(0.1)
    assert all(alive(pid) for pid in pids)
    child.kill()
    deadline = time.monotonic() + 60
    while any(alive(pid) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert child.status == -signal.SIGKILL
    child.kill()  # Nothing is left to kill, and that is no error.


@pytest.mark.slow
def test_leaving_the_block_stops_everything_politely(tmp_path, said, handlers):
    source = """
import signal, sys, time
signal.signal(15, lambda *_: (open("stopped", "w").write("yes"), sys.exit()))
open("ready", "w").write("yes")
time.sleep(600)
"""
    with Supervisor(env=os.environ, say=said.append) as supervisor:
        child = supervisor.start(program(tmp_path, source))
        wait_for(tmp_path / "ready")
    assert (tmp_path / "stopped").read_text() == "yes"
    assert child.status == 0
    assert supervisor.children == []


@pytest.mark.slow
def test_asking_twice_does_not_wait(tmp_path, said, handlers):
    with Supervisor(env=os.environ, say=said.append) as supervisor:
        supervisor.start(program(tmp_path, STUBBORN))
        wait_for(tmp_path / "ids")
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        began = time.monotonic()
        with pytest.raises(StopAsked):
            supervisor.look_after()
    assert time.monotonic() - began < 4


@pytest.mark.slow
def test_a_child_that_dies_is_started_again_and_named(tmp_path, supervisor, said):
    source = "import os, time; open(f'{os.getpid()}.pid', 'w').close(); time.sleep(600)"
    child = supervisor.start(program(tmp_path, source, name="worker"))
    child.kill()
    supervisor.look_after()
    assert supervisor.children[0] is not child
    assert supervisor.children[0].status is None
    assert said == [f"The worker ended (signal SIGKILL) and is started again; its log: {tmp_path / 'worker.log'}"]


@pytest.mark.slow
def test_a_child_that_keeps_dying_ends_the_run_with_its_log(tmp_path, supervisor, said):
    supervisor.start(program(tmp_path, "raise SystemExit('no such table: study')", name="worker"))
    with pytest.raises(Failed, match="no such table: study"):
        while True:
            supervisor.look_after()
    assert len(said) == RESTARTS


@pytest.mark.slow
def test_what_does_not_answer_in_time_is_named_with_its_log(tmp_path, supervisor):
    silent = program(tmp_path, "import time; print('thinking', flush=True); time.sleep(600)", name="web server")
    with pytest.raises(Failed, match=r"web server did not answer as it should within 1 s\.[\s\S]*thinking"):
        supervisor.start_and_wait(silent, lambda: False, seconds=1)


@pytest.mark.slow
def test_a_program_is_run_to_its_end(tmp_path, supervisor):
    supervisor.run(program(tmp_path, "open('done', 'w').write('yes')"))
    assert (tmp_path / "done").exists()
    assert supervisor.children == []


@pytest.mark.slow
def test_a_program_that_fails_says_why(tmp_path, supervisor):
    with pytest.raises(Failed, match=r"preparation failed \(status 3\):\nthe file is malformed"):
        supervisor.run(program(tmp_path, "print('the file is malformed'); raise SystemExit(3)", name="preparation"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")
def test_children_end_even_if_we_are_killed_outright(tmp_path):
    source = f"""
import os, time
from pathlib import Path
from config.local.child import Child, Program
folder = Path({str(tmp_path)!r})
inner = Program("inner", [{sys.executable!r}, "-c", "import time; time.sleep(600)"], folder / "inner.log", folder)
(folder / "ids").write_text(str(Child(inner, env=os.environ).process.pid))
time.sleep(600)
"""
    root = Path(__file__).resolve().parent.parent.parent
    outer = Child(Program("outer", [sys.executable, "-c", source], tmp_path / "outer.log", root), env=os.environ)
    inner = int(wait_for(tmp_path / "ids"))
    assert alive(inner)
    outer.kill()
    deadline = time.monotonic() + 60
    while alive(inner):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_statuses_are_described_for_people():
    assert described(1) == "status 1"
    assert described(-9) == "signal SIGKILL"
