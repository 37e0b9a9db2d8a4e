"""The C extension, where it was built; see `tools/native.py` and docs/decisions/0035."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final

_MODULE = "opilio.extract._quick"

#: None where pages are read by Python and lexbor alone.
EXTENSION: Final[ModuleType | None] = import_module(_MODULE) if find_spec(_MODULE) is not None else None
