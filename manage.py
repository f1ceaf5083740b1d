#!/usr/bin/env python
"""Parallax's command line. `manage.py help` lists the commands; each has its own --help."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        settings.INSTALLED_APPS  # noqa: B018 - reading one setting reads them all
    except ImproperlyConfigured as error:
        # A missing setting is the reader's affair, not a fault of the program: one sentence, no traceback.
        sys.exit(str(error))
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
