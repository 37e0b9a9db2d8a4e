"""The settings under which tests run: a home of their own, and the database that the run was started for.

`OPILIO_TEST_DATABASE` chooses sqlite (the default) or postgres; for the latter `OPILIO_TEST_POSTGRES_URL` names a
server on which databases may be made (`python -m tests.run` starts one). A developer's own `OPILIO_*` are put aside.
"""

import os
import tempfile

for _name in [name for name in os.environ if name.startswith("OPILIO_") and not name.startswith("OPILIO_TEST_")]:
    del os.environ[_name]
os.environ.setdefault("OPILIO_TEST_HOME", tempfile.mkdtemp(prefix="opilio-test-home-"))
os.environ["OPILIO_HOME"] = os.environ["OPILIO_TEST_HOME"]
# All tests of a process come from one address; those about limits set their own.
os.environ |= dict.fromkeys((f"OPILIO_LIMIT_{kind}_PER_MINUTE" for kind in ("API", "SEARCH", "FORMS")), "0")
if os.environ.get("OPILIO_TEST_DATABASE", "sqlite") == "postgres":
    os.environ["OPILIO_DATABASE_URL"] = os.environ["OPILIO_TEST_POSTGRES_URL"]

from opilio.server.settings import *  # noqa: E402, F403 - the environment had to be set first

PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
if os.environ.get("OPILIO_TEST_DATABASE", "sqlite") == "sqlite":
    DATABASES["default"]["TEST"] = {"NAME": ":memory:"}  # noqa: F405 - from the settings above
