"""What the index keeps of a page, when it is not what we wrote."""

import pytest
import zstandard

from opilio.search.index.errors import IndexUnreadable
from opilio.search.index.stored import unpack


@pytest.mark.parametrize(
    "body", [b"", b"owls", b"[]\nowls", b"{\n", b'{"nonsense": 1}\n', b'{"url": "u", "text": "t"}\n', b"{}\n\xff"]
)
def test_what_nobody_wrote_is_told(body):
    """A named error, whatever is wrong."""
    for data in (body, zstandard.compress(body)):
        with pytest.raises(IndexUnreadable, match="cannot be read"):
            unpack(data)
