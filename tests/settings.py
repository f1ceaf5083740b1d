"""The project's settings, with a key and a place of their own, so that tests never touch an installation."""

import atexit
import os
import shutil
import tempfile

os.environ.setdefault("SECRET_KEY", "only-for-tests")
os.environ.setdefault("PARALLAX_LOCAL", "1")
# The processes of pytest share the cores, and models of tests are small: a second thread of torch only waits there.
os.environ.setdefault("OMP_NUM_THREADS", "1")
if "PARALLAX_VAR" not in os.environ:
    os.environ["PARALLAX_VAR"] = tempfile.mkdtemp(prefix="parallax-tests-")

    # Processes that are forked from this one share its folder, and end before it.
    def leave(folder: str = os.environ["PARALLAX_VAR"], maker: int = os.getpid()) -> None:
        if os.getpid() == maker:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(leave)
# What a process makes once for all its tests goes with it.
SHARED_FOLDER = os.environ["PARALLAX_VAR"]

from config.settings import *  # noqa: E402, F403

# Hashed file names need collectstatic; tests read the sources.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# WhiteNoise warns about a folder that is not there.
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405
# A cache of this process alone: no test needs a server for it, but tests/comparison/frame/test_remembered.py has one.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
# All tests come from one address, and may log in as often as they need. Those of limits set them.
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = dict.fromkeys(ACCOUNT_RATE_LIMITS, "")  # noqa: F405
