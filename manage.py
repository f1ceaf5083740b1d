#!/usr/bin/env python
"""Parallax's command line. `manage.py help` lists the commands; each has its own --help."""

import os
import sys

HELP = ("-h", "--help")
# As a shell says of a program that SIGPIPE ended.
READER_GONE = 141


def asks_for_help(arguments: list[str]) -> bool:
    """Whether nothing will be done but telling: `manage.py`, `manage.py help …`, `manage.py COMMAND --help`."""
    if not arguments or arguments[0] == "help":
        return True
    # What follows "--" are values, not options.
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return any(option in HELP for option in options)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if asks_for_help(sys.argv[1:]):
        # Help signs nothing, and a fresh clone has no key yet. All else stops without one (config.env.secret).
        os.environ.setdefault("SECRET_KEY", "unused: this process only tells its options")
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        settings.INSTALLED_APPS  # noqa: B018 - reading one setting reads them all
    except ImproperlyConfigured as error:
        # A missing setting is the reader's affair, not a fault of the program: one sentence, no traceback.
        sys.exit(str(error))
    from django.db import OperationalError

    from annotation.audit.acting import acting, by_command
    from config.busy import BUSY, is_busy
    from config.frames import with_room

    try:
        with acting(by_command):
            with_room(execute_from_command_line)(sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read, such as `head`, has had enough. What is still to be written goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(READER_GONE)
    except OperationalError as error:
        if not is_busy(error) or "--traceback" in sys.argv:
            raise
        sys.exit(BUSY)


if __name__ == "__main__":
    main()
