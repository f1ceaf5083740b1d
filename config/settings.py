"""One settings file. What differs between installations comes from the environment (docs/settings.md)."""

from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse_lazy

from config import env
from config.accounts import mail_backend, openid_provider, origins, rate_limits
from config.broker import broker_socket, cache_address
from work.queues import Queue

BASE_DIR = Path(__file__).resolve().parent.parent

# Everything that is made at run time (database, models, keys, sockets) lives here.
VAR_DIR = Path(env.text("PARALLAX_VAR", default=str(BASE_DIR / "var")))
try:
    VAR_DIR.mkdir(parents=True, exist_ok=True)
except OSError as error:
    said = f"PARALLAX_VAR, {VAR_DIR}, is not there and cannot be made: {error.strerror}."
    raise ImproperlyConfigured(said) from error
MODELS_DIR = VAR_DIR / "models"
# Where models may lie that are added in the browser, and whether a hub may be asked for others.
MODEL_FOLDERS = [Path(one) for one in env.words("MODEL_FOLDERS", default=[str(VAR_DIR / "own-models")])]
MODEL_HUB = env.flag("MODEL_HUB", default=False)
# From which workers on other machines fetch a model's files: a folder that all see, or an object store.
MODEL_STORE = env.text("MODEL_STORE", default="")
# What the scoring workers of this machine take: models by key or name, with *, and numbers; all where none is named.
SCORING_MODELS = env.words("SCORING_MODELS", default=[])
SCORING_DTYPES = env.some_of("SCORING_DTYPES", ("float32", "bfloat16", "float16", "int8"))
# What passes over corpora find, part by part, where workers share them: a folder that all see, or an object store.
CORPUS_STORE = env.text("CORPUS_STORE", default="")
# Whether a corpus may be read from the web; other addresses (s3://…) may always be named in a command.
CORPUS_HTTP = env.flag("CORPUS_HTTP", default=False)
# What a model may have that is uploaded in the browser, in megabytes as sent and as unpacked, and in files; 0 for none.
MODEL_UPLOAD_MOST_BYTES = int(env.amount("MODEL_UPLOAD_MOST_MB", default="600")) * 1024 * 1024
MODEL_UPLOAD_MOST_FILES = int(env.amount("MODEL_UPLOAD_MOST_FILES", default="40"))

# `make run` sets this: one machine, plain HTTP on the loopback address.
LOCAL = env.flag("PARALLAX_LOCAL", default=False)

DEBUG = False
SECRET_KEY = env.secret("SECRET_KEY", file=VAR_DIR / "secret_key")
# Those before it, while second factors are kept with them.
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "accounts.records.RecordsConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "work",
    # After allauth: accounts/admin.py takes some of its tables out of the records.
    "accounts",
    "annotation",
    "scoring",
    "training",
    "comparison",
    "researcher",
    "api",
]

MIDDLEWARE = [
    "config.frames.with_room",
    "work.watching.requests.Watched",
    "django.middleware.security.SecurityMiddleware",
    # Serves static files in the compressed form that lies beside them.
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Before all that may still change a page. It pads what it compresses, against BREACH.
    "django.middleware.gzip.GZipMiddleware",
    "accounts.middleware.NotStored",
    "csp.middleware.CSPMiddleware",
    "annotation.arrival.framing.CookiesInFrames",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.AskForLogin",
    "accounts.middleware.AskForSecondFactor",
    # Behind AuthenticationMiddleware: it says whose deeds these are.
    "annotation.audit.acting.ActingReader",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.NobodyUncounted",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # A task type keeps its item template beside it: "tasktypes/plausibility.html".
        "DIRS": [BASE_DIR / "templates", BASE_DIR / "annotation"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]


def database() -> dict[str, Any]:
    """SQLite in WAL mode with immediate transactions, or PostgreSQL by DATABASE_URL."""
    url = env.text("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'parallax.sqlite3'}")
    config: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=60))
    engine = config["ENGINE"]
    if engine == "django.db.backends.sqlite3":
        config["ENGINE"] = "config.sqlite"
        # Django's own choice, said here for pytest's plugins, which know no engine but Django's by its name.
        config["TEST"] = {"NAME": ":memory:"}
        # Writers queue for up to 30 s instead of failing; WAL lets readers go on meanwhile.
        # synchronous=FULL: an acknowledged label must survive a power cut, which NORMAL does not promise in WAL.
        config["OPTIONS"] = {
            "timeout": 30,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        }
    elif engine != "django.db.backends.postgresql":
        raise ImproperlyConfigured("DATABASE_URL must name a SQLite or a PostgreSQL database.")
    return config


DATABASES = {"default": database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "accounts.adapters.LongestPassword"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "api.models.EndTokens"},
]
LOGIN_URL = reverse_lazy("login")
LOGIN_REDIRECT_URL = reverse_lazy("studies")
LOGOUT_REDIRECT_URL = reverse_lazy("login")

# Of researchers' pages. Annotators' pages speak the language of their study (annotation/views/requests.py).
LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "staticfiles"
# Pages of other sites have no use for ours.
WHITENOISE_ALLOW_ALL_ORIGINS = False
# The site shows the pictures of its docs, and so does the README.
STATICFILES_DIRS = [BASE_DIR / "static", ("pictures", BASE_DIR / "docs" / "pictures")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

CSRF_FAILURE_VIEW = "annotation.views.notices.refused"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = not LOCAL
# What asks whether a process lives asks the process itself, without the proxy.
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]
SECURE_HSTS_SECONDS = 0 if LOCAL else 31_536_000
# Not by itself: other hosts below this one's name may have no HTTPS.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.flag("HSTS_SUBDOMAINS", default=False)
# The prefix lets browsers take this cookie from this host alone, and by HTTPS.
SESSION_COOKIE_NAME = "sessionid" if LOCAL else "__Host-sessionid"
SESSION_COOKIE_AGE = int(env.amount("SESSION_HOURS", default="336") * 3600)
# Whoever reaches the server can send this header: it is believed only where a proxy is said to write it.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("HTTPS_BEHIND_PROXY", default=False) else None
# How many sittings may begin from one internet address by one link within an hour; 0 for any number.
STARTS_PER_ADDRESS = int(env.amount("STARTS_PER_ADDRESS", default="120"))
# How many times as many words a part of a run has where the scoring workers have GPUs.
SCORING_CHUNK_TIMES = max(1, int(env.amount("SCORING_CHUNK_TIMES", default="1")))
# How many requests one token of the API may make within a minute; 0 for any number.
API_REQUESTS_PER_MINUTE = int(env.amount("API_REQUESTS_PER_MINUTE", default="600"))
# Where the proxy writes the visitor's address; without one, that of the connection is taken.
ADDRESS_HEADER = env.text("ADDRESS_HEADER", default="")
# Mail: sent through a host, or written into a folder, a file each. By default there is none, and pages say so.
EMAIL_HOST = env.text("EMAIL_HOST", default="")
EMAIL_PORT = int(env.amount("EMAIL_PORT", default="587"))
EMAIL_HOST_USER = env.text("EMAIL_USER", default="")
EMAIL_HOST_PASSWORD = env.text("EMAIL_PASSWORD", default="").strip()
EMAIL_SECURITY = env.one_of("EMAIL_SECURITY", ("starttls", "tls", "none"), default="starttls")
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL_SECURITY == "starttls", EMAIL_SECURITY == "tls"
EMAIL_TIMEOUT = 20
EMAIL_FILE_PATH = env.text("EMAIL_FOLDER", default="")
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", default="parallax@localhost")
EMAIL_BACKEND = mail_backend(host=EMAIL_HOST, folder=EMAIL_FILE_PATH)
SENDS_MAIL = bool(EMAIL_HOST or EMAIL_FILE_PATH)
# Whom to ask for help with an account, as pages say it.
CONTACT = env.text("CONTACT", default="")

# Accounts: django-allauth. What its settings mean, and why they are as they are: docs/accounts.md.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
ACCOUNT_ADAPTER = "accounts.adapters.Accounts"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = SENDS_MAIL
# Nothing is sent to an address of which there is no account.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Parallax] "
ACCOUNT_EMAIL_VERIFICATION = "optional" if SENDS_MAIL else "none"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if LOCAL else "https"
ACCOUNT_SESSION_REMEMBER = True
# Whoever finds a browser logged in cannot move the account to an address of their own.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
REQUIRE_SECOND_FACTOR = env.flag("REQUIRE_SECOND_FACTOR", default=False)
INVITATIONS_PER_DAY = int(env.amount("INVITATIONS_PER_DAY", default="20"))
FAILED_LOGINS_PER_ACCOUNT = int(env.amount("FAILED_LOGINS_PER_ACCOUNT", default="5"))
FAILED_LOGINS_PER_ADDRESS = int(env.amount("FAILED_LOGINS_PER_ADDRESS", default="20"))
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = rate_limits(
    per_account=FAILED_LOGINS_PER_ACCOUNT,
    per_address=FAILED_LOGINS_PER_ADDRESS,
    invitations=INVITATIONS_PER_DAY,
    # Behind a proxy that does not say who came, all come from one address.
    sees_addresses=bool(ADDRESS_HEADER) or SECURE_PROXY_SSL_HEADER is None,
)
MFA_ADAPTER = "accounts.adapters.SecondFactors"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Parallax"
# Nobody signs up with somebody else's address here: accounts are given.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Browsers make passkeys over plain HTTP for localhost alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = LOCAL

# The one server that may say who somebody is (OpenID Connect); by default there is none.
OPENID_ISSUER = env.text("OPENID_ISSUER", default="").rstrip("/")
# It is asked at its own address, and at what it names of itself there: on these hosts and no others.
OPENID_ORIGINS = origins(OPENID_ISSUER, env.words("OPENID_HOSTS", default=[]))
SOCIALACCOUNT_ADAPTER = "accounts.adapters.OpenId"
SOCIALACCOUNT_ONLY = False
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_PROVIDERS = (
    openid_provider(
        issuer=OPENID_ISSUER,
        needs_https=not LOCAL,
        client=env.text("OPENID_CLIENT"),
        secret=env.text("OPENID_SECRET").strip(),
        name=env.text("OPENID_NAME", default="OpenID"),
    )
    if OPENID_ISSUER
    else {}
)

SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        # A browser holds what a form is led on to against this list as well.
        "form-action": [SELF, *OPENID_ORIGINS],
    }
}

# The one address on the network where models are asked in words; by default there is none.
PROMPT_ENDPOINT = env.text("PROMPT_ENDPOINT", default="")
PROMPT_ENDPOINT_MODELS = env.words("PROMPT_ENDPOINT_MODELS", default=[]) if PROMPT_ENDPOINT else []
# A file with the line ends of Windows brings one along.
PROMPT_ENDPOINT_KEY = env.text("PROMPT_ENDPOINT_KEY", default="").strip()
PROMPT_ENDPOINT_PRICE = env.amount("PROMPT_ENDPOINT_PRICE", default="0")
PROMPT_ENDPOINT_CEILING = env.amount("PROMPT_ENDPOINT_CEILING", default="1")

# What researchers upload at once for a job, in megabytes: a corpus, a data set, labels, scores.
UPLOAD_MOST_BYTES = int(env.amount("UPLOAD_MOST_MB", default="200")) * 1024 * 1024
FILE_UPLOAD_HANDLERS = [
    "researcher.jobs.folder.Bounded",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
# Files and folders of the server that constructions may be made of, chosen by name: reddit=/data/reddit,…
CORPUS_FOLDERS = env.places("CORPUS_FOLDERS")

# The hosts to which studies may send messages (annotation/webhooks/declaring.py); by default none.
WEBHOOK_HOSTS = env.words("WEBHOOK_HOSTS", default=[])

REDIS_URL = env.text("REDIS_URL", default=f"redis+socket://{broker_socket(VAR_DIR)}")
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# What its worker held is found by the next one, which counts how often; a message that came back would have no end.
CELERY_TASK_REJECT_ON_WORKER_LOST = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = Queue.UPKEEP
CELERY_TASK_SOFT_TIME_LIMIT, CELERY_TASK_TIME_LIMIT = 240, 300
# Kinds of work (work/) name their own queues and limits. A receiver that is slow holds up other messages alone.
CELERY_TASK_ROUTES = {"annotation.tasks.send_webhooks": {"queue": Queue.WEBHOOKS}}
CELERY_BEAT_SCHEDULE = {
    "upkeep": {"task": "work.tasks.upkeep", "schedule": 30.0},
    "upkeep of sittings": {"task": "annotation.tasks.upkeep", "schedule": 30.0},
    "studies to delete": {"task": "researcher.tasks.delete_rest", "schedule": 60.0},
    # Gone where no worker takes it: the one for webhooks is only there if some are declared.
    "webhooks": {"task": "annotation.tasks.send_webhooks", "schedule": 15.0, "options": {"expires": 15.0}},
    "old deliveries": {"task": "annotation.tasks.forget_deliveries", "schedule": 3600.0},
    "old sessions": {"task": "accounts.tasks.forget", "schedule": 86_400.0},
    "old uploads": {"task": "researcher.tasks.drop_uploads", "schedule": 3600.0},
}
# So long without work, and a worker's process ends, with the model that it held, and another takes its place; 0: never.
WORKER_IDLE_MINUTES = float(env.amount("WORKER_IDLE_MINUTES", default="10"))
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]

# Figures of pages (comparison/frame/cache/remembered.py) and counts of attempts to log in: all web processes share
# them. clear() would take Celery's messages along. A server that does not answer must not hold up a page: figures are
# computed then, and only logging in has to wait (accounts/middleware.py).
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": cache_address(REDIS_URL),
        "KEY_PREFIX": "parallax-json",
        "OPTIONS": {"serializer": "config.broker.JsonText", "socket_connect_timeout": 1, "socket_timeout": 2},
    }
}

# What lets a program read /metrics; without it, superusers alone do.
METRICS_TOKEN = env.text("METRICS_TOKEN", default="").strip()
# Lines for people, or one JSON object a line (work/watching/lines.py).
LOG_FORMAT = env.one_of("LOG_FORMAT", ("text", "json"), default="text")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "work.watching.lines.TextLines", "fmt": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
        "json": {"()": "work.watching.lines.JsonLines"},
    },
    "filters": {"done": {"()": "work.watching.lines.DoneLines"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        # It writes down whole addresses, and those of webhooks may hold a password.
        "httpx": {"level": "WARNING"},
        # A line for each message that came, of which the line on its end says all.
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"filters": ["done"]},
    },
}
