"""What opens a source: sealed in the catalogue under a key that lies outside it, opened for a session only."""

import json

from django.conf import settings

from opilio.kernel.secret_box import SecretBox

FIELDS = ("password", "private_key", "passphrase")


def _box() -> SecretBox:
    return SecretBox(settings.OPILIO.secrets_folder)


def _place(source_id: int) -> str:
    return f"source {source_id}"


def sealed(source_id: int, **values: str) -> str:
    """The secrets of a source as they are kept; empty when there are none."""
    given = {name: values[name] for name in FIELDS if values.get(name)}
    return _box().seal(json.dumps(given), place=_place(source_id)) if given else ""


def opened(source_id: int, text: str) -> dict[str, str]:
    """The secrets of a source."""
    return dict(json.loads(_box().open(text, place=_place(source_id)))) if text else {}
