"""The key that signs sessions and forms: made once, kept outside the database, readable by the owner only."""

import os
import secrets

from opilio.kernel.files import ensure_folder, mapped
from opilio.kernel.settings import Settings

KEY_FILE = "signing.key"


def secret_key(settings: Settings) -> str:
    """The installation's key; of several processes that start at once, one makes it and all use it."""
    path = settings.secrets_folder / KEY_FILE
    if not path.is_file():
        ensure_folder(settings.secrets_folder, mode=0o700)
        draft = path.with_name(f".{KEY_FILE}.{secrets.token_hex(8)}")
        with mapped(draft):
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(secrets.token_urlsafe(64).encode("ascii"))
                file.flush()
                os.fsync(descriptor)
            try:
                os.link(draft, path)  # fails, instead of replacing, when another process was first
            except FileExistsError:
                pass
            finally:
                draft.unlink()
    with mapped(path):
        return path.read_text("ascii").strip()
