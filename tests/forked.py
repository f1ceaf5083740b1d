"""Python processes of tests, forked from one that has loaded the libraries, which takes a new one seconds each time.

A child begins as `python ARGUMENTS` does, with the environment it is given, and loads settings and our modules itself.
"""

import atexit
import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Seconds that a slow machine may take; longer is a hang.
PATIENCE = 600.0

CONTEXT = multiprocessing.get_context("forkserver")
# None of them reads settings, or what a test sets in the environment, but HUB.
CONTEXT.set_forkserver_preload(
    [
        "celery.bin.worker",
        "celery.concurrency.prefork",
        "django.core.management.commands.check",
        "django.forms",
        "django.test.client",
        "fido2.webauthn",
        "gunicorn.app.wsgiapp",
        "jinja2",
        "kombu.transport.redis",
        "markdown_it",
        "openpyxl",
        "psycopg",
        "pydantic",
        "pygments.lexers",
        "requests",
        "scipy.signal",
        "scipy.stats",
        "spacy",
        "torch",
        "transformers.models.bert.modeling_bert",
        "transformers.models.llama.modeling_llama",
    ]
)
# What they read of the environment begins so, and is read once: a child for which it differs loads them itself.
HUB, READ_BY_HUB = {"huggingface_hub", "transformers"}, "HF_"
# Set for good in a process that has had a browser (tests/browser.py), and of that process alone.
OF_BROWSERS = "DJANGO_ALLOW_ASYNC_UNSAFE"


def share_server() -> None:
    """Begin the process that all are forked from for those too that this process forks: it takes seconds to begin.

    It is not their child, and to wait for it, as they would to see whether it lives, is refused.
    """
    forkserver.ensure_running()
    forkserver._forkserver.ensure_running = resource_tracker.ensure_running  # type: ignore[method-assign]


class Forked:
    """A process as subprocess.Popen has it. Whoever begins one ends it, with `new_session` by its process group."""

    def __init__(self, process: BaseProcess) -> None:
        self.process = process
        assert process.pid is not None
        self.pid = process.pid

    def kill(self) -> None:
        self.process.kill()

    def terminate(self) -> None:
        self.process.terminate()

    def poll(self) -> int | None:
        self.process.join(0)
        return self.process.exitcode

    def wait(self, timeout: float = PATIENCE) -> int:
        self.process.join(timeout)
        if self.process.exitcode is None:
            raise subprocess.TimeoutExpired(self.process.name, timeout)
        return self.process.exitcode


def begin(*arguments: str, env: Mapping[str, str], log: Path, new_session: bool = False) -> Forked:
    """Python with these arguments; what it writes goes to the end of `log`."""
    return _begun(arguments, env, log, log, new_session=new_session)


def run(*arguments: str, env: Mapping[str, str], timeout: float = PATIENCE) -> subprocess.CompletedProcess[str]:
    """Python with these arguments, whatever comes of it."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        forked = _begun(arguments, env, out, err)
        try:
            code = forked.wait(timeout)
        finally:
            forked.kill()
        return subprocess.CompletedProcess(arguments, code, out.read_text(), err.read_text())


class Forking:
    """In place of `subprocess` in a module that runs one of ours with limits of its own, by `python -m`."""

    TimeoutExpired = subprocess.TimeoutExpired

    @staticmethod
    def run(
        command: Sequence[str], *, env: Mapping[str, str] | None = None, timeout: float = PATIENCE, **others: object
    ) -> subprocess.CompletedProcess[str]:
        python, *arguments = command
        assert python == sys.executable and arguments[0] == "-m", command
        return run(*arguments, env=os.environ if env is None else env, timeout=timeout)


def _begun(
    arguments: tuple[str, ...], env: Mapping[str, str], out: Path, err: Path, *, new_session: bool = False
) -> Forked:
    heard, says = CONTEXT.Pipe(duplex=False)
    # Not waited for at the end of the tests, should one leave it.
    own = {name: env[name] for name in env if name != OF_BROWSERS}
    process = CONTEXT.Process(target=_be, args=(says, arguments, own, out, err, new_session), daemon=True)
    process.start()
    says.close()
    # That it has a group and files of its own.
    heard.recv()
    heard.close()
    return Forked(process)


def write_to(out: Path, err: Path) -> None:
    """What this process says goes to the end of these files."""
    for path, stream in ((out, 1), (err, 2)):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(opened, stream)
        os.close(opened)


def _take_environment(env: Mapping[str, str]) -> None:
    of_hub = [{name: it[name] for name in it if name.startswith(READ_BY_HUB)} for it in (os.environ, env)]
    if of_hub[0] != of_hub[1]:
        for name in [name for name in sys.modules if name.partition(".")[0] in HUB]:
            del sys.modules[name]
    os.environ.clear()
    os.environ.update(env)


def _be(
    says: Connection, arguments: tuple[str, ...], env: dict[str, str], out: Path, err: Path, new_session: bool
) -> None:
    from django.conf import settings

    assert not settings.configured, "a library that is loaded beforehand has read settings"
    if new_session:
        os.setsid()
    _take_environment(env)
    os.chdir(ROOT)
    write_to(out, err)
    says.send(None)
    says.close()
    sys.path[:0] = [path for path in env.get("PYTHONPATH", "").split(os.pathsep) if path]
    be_python(arguments, out)


def be_python(arguments: Sequence[str], out: Path) -> None:
    """What `python ARGUMENTS` does, with files beside `out`; then what is done at the end of a process."""
    # It may begin processes of its own.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    try:
        match arguments:
            case ["-c", code, *rest]:
                # A main module without a file, as Python's own has none: processes that it begins do not run it again.
                script = out.with_suffix(".py")
                script.write_text(f"del __file__\n{code}")
                sys.argv = ["-c", *rest]
                runpy.run_path(str(script), run_name="__main__")
            case ["-m", module, *rest]:
                sys.argv = [module, *rest]
                runpy.run_module(module, run_name="__main__", alter_sys=True)
            case [file, *rest]:
                sys.argv = [file, *rest]
                runpy.run_path(file, run_name="__main__")
    finally:
        # A process of multiprocessing ends without them.
        atexit._run_exitfuncs()
