"""The project's settings, with a key and a place of their own, so that tests never touch an installation."""

import os
import tempfile

os.environ.setdefault("SECRET_KEY", "only-for-tests")
os.environ.setdefault("PARALLAX_LOCAL", "1")
# The processes of pytest share the cores, and models of tests are small: a second thread of torch only waits there.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("PARALLAX_VAR", tempfile.mkdtemp(prefix="parallax-tests-"))

from config.settings import *  # noqa: F403

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
