"""Files with answers that are hardly HTTP, as two other programs read them."""

import string

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opilio.archive.warc.reader import iterate
from opilio.archive.warc.sink import WarcSink
from tests.unit.archive.warcs import assert_valid, capture

HEADS = st.lists(
    st.sampled_from([b"X: y", b"Transfer-Encoding: chunked", b"no colon", b" fold", b"", b"\x00", b"\xff: \xff", b":"])
    | st.binary(max_size=12),
    max_size=5,
).map(lambda lines: b"HTTP/1.1 200 OK\r\n" + b"".join(line + b"\r\n" for line in lines) + b"\r\n")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    head=HEADS | st.binary(max_size=60),
    body=st.binary(max_size=200),
    path=st.text(alphabet=string.printable + "äß\u2029", max_size=20).filter(lambda text: "#" not in text),
)
def test_no_capture_makes_a_file_that_others_refuse(tmp_path_factory, head, body, path):
    """Whatever servers send, both programs accept the file and the bytes come back."""
    folder = tmp_path_factory.mktemp("warcs")
    sink = WarcSink(folder, worker="w0")
    place = sink.append(capture(head=head, body=body, url=f"http://example.com/{path}"))
    sink.close()
    (file,) = assert_valid(folder)
    found = list(iterate(file))
    assert found[1].block == head + body
    assert found[1].place == place
