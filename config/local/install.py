"""Make .venv and install the pinned requirements into it. Standard library only: it runs before they are there.

    python3 config/local/install.py [--dev]

A stamp in .venv holds a hash of what was installed, so that a second call returns at once.
"""

import hashlib
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
CONSTRAINTS = ROOT / "constraints.txt"


def pinned(name: str, file: Path) -> str:
    """The requirement line that pins `name`; LookupError if there is none."""
    found = re.search(rf"^{re.escape(name)}==\S+$", file.read_text(), re.MULTILINE)
    if found is None:
        raise LookupError(f"{file.name} does not pin {name}.")
    return found.group()


def fingerprint(files: list[Path]) -> str:
    """Changes when a requirement, the interpreter or this script changes."""
    sources = [Path(__file__), CONSTRAINTS, *files]
    parts = [sys.version.encode(), *(file.read_bytes() for file in sources)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def pip(*arguments: str) -> None:
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--constraint", str(CONSTRAINTS), *arguments]
    subprocess.run(command, check=True, cwd=ROOT, stdin=subprocess.DEVNULL)  # noqa: S603 our own command line


def make_venv() -> None:
    """A new environment unless a working one is there (a copied or half-made one is made again)."""
    if PYTHON.exists():
        probe = subprocess.run([str(PYTHON), "-m", "pip", "--version"], capture_output=True, check=False)  # noqa: S603
        if probe.returncode == 0 and str(VENV).encode() in probe.stdout:
            return
        shutil.rmtree(VENV)
    print("Making .venv", flush=True)
    subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)  # noqa: S603


def install(*, dev: bool) -> None:
    runtime, tests = ROOT / "requirements.txt", ROOT / "requirements-dev.txt"
    wanted = fingerprint([runtime, tests] if dev else [runtime])
    stamp = VENV / (".installed-dev" if dev else ".installed")
    if PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted:
        return
    make_venv()
    print("Installing the requirements, which takes some minutes the first time", flush=True)
    # torch alone and first: with other packages in the same call, pip may prefer a build that they ask for.
    pip(pinned("torch", runtime))
    pip("-r", str(tests if dev else runtime))
    if dev:
        (VENV / ".installed").write_text(fingerprint([runtime]))
    stamp.write_text(wanted)


def stop(number: int, frame: FrameType | None) -> None:
    """Leave by an exception, so that subprocess.run takes its child along."""
    raise SystemExit(128 + number)


def main() -> int:
    signal.signal(signal.SIGTERM, stop)
    try:
        install(dev="--dev" in sys.argv[1:])
    except subprocess.CalledProcessError as error:
        print(f"Installing stopped (status {error.returncode}): {' '.join(error.cmd)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
