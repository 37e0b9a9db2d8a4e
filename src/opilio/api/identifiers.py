"""Identifiers are 64-bit numbers inside and decimal strings outside: as JSON numbers many readers would round them."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

_LARGEST = 2**63 - 1
_DECIMAL = re.compile(r"[0-9]{1,19}")
_JSON = {"type": "string", "pattern": "^[0-9]{1,19}$", "examples": ["32768"]}


def _number(value: object) -> int:
    if not isinstance(value, str) or not _DECIMAL.fullmatch(value) or int(value) > _LARGEST:
        raise ValueError("an identifier is a decimal number of up to 63 bits, written as a string")
    return int(value)


def _text(value: object) -> object:
    return str(value) if isinstance(value, int) else value


#: An identifier in a path, a query or a body.
Identifier = Annotated[
    int, BeforeValidator(_number), WithJsonSchema({**_JSON, "description": "Identifier, as a decimal string."})
]
#: An identifier in an answer.
Id = Annotated[str, BeforeValidator(_text), WithJsonSchema({**_JSON, "description": "Identifier."})]


def with_text_ids(values: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of a row as the audit log tells them, with identifiers as strings."""
    return {
        name: str(value) if (name == "id" or name.endswith("_id")) and isinstance(value, int) else value
        for name, value in values.items()
    }
