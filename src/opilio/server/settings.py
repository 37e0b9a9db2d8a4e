"""Django's settings, derived from the settings in force (`kernel/config.py`)."""

from pathlib import Path
from typing import Any

from opilio.kernel import config
from opilio.kernel.settings import Settings
from opilio.server.databases import database
from opilio.server.secrets import secret_key

OPILIO: Settings = config.load().settings

SECRET_KEY = secret_key(OPILIO)
DEBUG = False
ALLOWED_HOSTS = list(OPILIO.server_allowed_hosts)
ROOT_URLCONF = "opilio.server.urls"
ASGI_APPLICATION = "opilio.server.asgi.application"
AUTH_USER_MODEL = "people.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"  # never used: every model derives from catalogue's Identified

INSTALLED_APPS = [
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "lucide",
    "opilio.catalogue.apps.CatalogueConfig",
    "opilio.jobs.apps.JobsConfig",
    "opilio.people.apps.PeopleConfig",
    "opilio.curation.apps.CurationConfig",
    "opilio.tracker.apps.TrackerConfig",
    "opilio.web.apps.WebConfig",
    "opilio.api.apps.ApiConfig",
]

MIDDLEWARE = [
    "opilio.web.middleware.correlation",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "opilio.web.middleware.security_headers",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "opilio.web.middleware.signed_in",
    "opilio.web.languages.middleware",
    "opilio.web.rate_limits.limited",
    "opilio.web.middleware.errors",
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "opilio.web.context.shell",
            ],
            "builtins": ["django.templatetags.i18n", "lucide.templatetags.lucide", "opilio.web.templatetags.shell"],
        },
    }
]

DATABASES = {"default": database(OPILIO)}

LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]

SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_AGE = OPILIO.signin_max_hours * 3600
SESSION_COOKIE_NAME = "__Host-opilio" if OPILIO.server_behind_tls else "opilio"
SESSION_COOKIE_SECURE = OPILIO.server_behind_tls
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "__Host-opilio-csrf" if OPILIO.server_behind_tls else "opilio-csrf"
CSRF_COOKIE_SECURE = OPILIO.server_behind_tls
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "opilio.web.views.errors.csrf_failure"
CSRF_TRUSTED_ORIGINS = [OPILIO.server_public_url.rstrip("/")] if OPILIO.server_public_url.startswith("https://") else []
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if OPILIO.server_behind_tls else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = OPILIO.server_max_form_bytes
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000

STATIC_URL = "/static/"
STATICFILES_DIRS: list[Path] = []
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False

MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
LOGGING_CONFIG = None  # kernel/logs.py routes the standard library's logging
SILENCED_SYSTEM_CHECKS: list[str] = []
