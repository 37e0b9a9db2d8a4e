"""The sample site over real HTTP."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from urllib.parse import urlencode, urlsplit

import pytest

from opilio.kernel.errors import PortInUse
from opilio.works.sample import SampleSite, expected, pages


@pytest.fixture(scope="module")
def site():
    with SampleSite() as running:
        yield running


@pytest.fixture
def ask(site):
    connection = http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=30)

    def request(path, method="GET", body=None, **headers):
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        answer.content = answer.read()
        return answer

    yield request
    connection.close()


def send_raw(site, data):
    """What the site answers to bytes that no client library would send."""
    with socket.create_connection(("127.0.0.1", urlsplit(site.url).port), timeout=30) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def sign_in(ask, username=expected.USERNAME, password=expected.PASSWORD):
    form = urlencode({"form": "members", "username": username, "password": password})
    return ask(expected.LOGIN_ACTION, "POST", form, Content_Type="application/x-www-form-urlencoded")


def test_every_listed_response_is_served_as_listed(site, ask):
    """Over one kept-open connection each path answers with the status, headers and bytes of the listing."""
    for path, listed in pages(site.url).items():
        if listed.members_only:
            continue
        answer = ask(path)
        assert (answer.status, answer.content) == (listed.status, listed.body), path
        assert listed.headers.items() <= dict(answer.getheaders()).items(), path


def test_head_answers_as_get_without_a_body(ask):
    """HEAD gives the same headers and length as GET, and no body."""
    head, get = ask("/visit/hours.html", "HEAD"), ask("/visit/hours.html")
    assert head.content == b""
    assert head.getheader("Content-Length") == str(len(get.content))
    assert head.getheader("ETag") == get.getheader("ETag")


def test_broken_links_answer_404_with_a_page(ask):
    """What is not there says so with the right status and a readable page."""
    for path in expected.BROKEN_LINKS:
        answer = ask(path)
        assert answer.status == 404
        assert b"Perhaps the tide took it" in answer.content


def test_redirects_and_their_chain(ask):
    """Each redirect has its declared status and place; the chain ends at a page."""
    for path, (status, location) in expected.REDIRECTS.items():
        answer = ask(path)
        assert (answer.status, answer.getheader("Location")) == (status, location)
    path, steps = "/cat", 0
    while path in expected.REDIRECTS:
        path, steps = ask(path).getheader("Location"), steps + 1
    assert (path, steps) == ("/collections/", 2)
    assert ask(path).status == 200


@pytest.mark.parametrize("path", [expected.SOFT_404, "/collections/item?id=123456", "/collections/item"])
def test_unknown_entries_are_soft_404s(ask, path):
    """The catalogue says "could not be found" with status 200."""
    answer = ask(path)
    assert answer.status == 200
    assert b"could not be found" in answer.content


@pytest.mark.parametrize("path", ["/caf%C3%A9/", "/caf%c3%a9/", "/c%61f%c3%a9/", "/caf%C3%A9/?utm_source=x"])
def test_spellings_of_one_path_meet(ask, path):
    """Percent-encoding in any spelling, and a query that means nothing here, give the same page."""
    answer = ask(path)
    assert answer.status == 200
    assert "Eleven tables" in answer.content.decode()


def test_raw_utf_8_in_the_request_line_is_understood(site):
    """A client that sends the bytes of `é` unencoded gets the page too."""
    answer = send_raw(site, "GET /café/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_unchanged_pages_answer_304(ask):
    """A conditional request with the page's own validators gets no body."""
    first = ask("/visit/")
    tag, modified = first.getheader("ETag"), first.getheader("Last-Modified")
    for headers in (
        {"If_None_Match": tag},
        {"If_None_Match": f'"other", W/{tag}'},
        {"If_None_Match": "*"},
        {"If_Modified_Since": modified},
        {"If_Modified_Since": "Sat, 01 Jan 2050 00:00:00 GMT"},
    ):
        answer = ask("/visit/", **headers)
        assert (answer.status, answer.content) == (304, b""), headers
        assert answer.getheader("ETag") == tag


@pytest.mark.parametrize(
    "headers",
    [
        {"If_None_Match": '"other"'},
        {"If_None_Match": '"other"', "If_Modified_Since": "Sat, 01 Jan 2050 00:00:00 GMT"},
        {"If_Modified_Since": "Sat, 01 Jan 2000 00:00:00 GMT"},
        {"If_Modified_Since": "Sat, 01 Jan 2050 00:00:00"},
        {"If_Modified_Since": "yesterday"},
        {"If_Modified_Since": "Sat, 99 Jan 99999999999999999999 00:00:00 GMT"},
    ],
)
def test_other_conditions(ask, headers):
    """A stale or unreadable condition gets the whole page; a date without a zone counts as UTC."""
    expected_status = 304 if headers == {"If_Modified_Since": "Sat, 01 Jan 2050 00:00:00"} else 200
    assert ask("/visit/", **headers).status == expected_status


def test_members_pages_send_to_the_form(ask):
    """Without a session each members' page sends to the form, also when the validators match."""
    for path in expected.BEHIND_LOGIN:
        answer = ask(path, If_None_Match="*", Cookie="tidewick_session=made-up")
        assert (answer.status, answer.getheader("Location")) == (302, expected.LOGIN_PAGE)


def test_the_form_opens_the_members_pages_until_sign_out(ask):
    """The pair printed on the form opens all three pages; signing out closes them again."""
    form = ask(expected.LOGIN_PAGE).content.decode()
    assert f"<code>{expected.USERNAME}</code>" in form
    assert f"<code>{expected.PASSWORD}</code>" in form
    answer = sign_in(ask)
    assert (answer.status, answer.getheader("Location")) == (303, "/members/")
    cookie = answer.getheader("Set-Cookie").partition(";")[0]
    for path in expected.BEHIND_LOGIN:
        assert ask(path, Cookie=cookie).content == pages()[path].body
    assert ask(expected.LOGOUT_ACTION, "POST", "", Cookie=cookie).status == 303
    assert ask("/members/", Cookie=cookie).status == 302


@pytest.mark.parametrize(
    "form",
    [
        b"", b"username=member", b"username=member&password=wrong", b"username=tidewick&password=member",
        b"username=member&password=tidewick&password=x", b"username=member&password=\xff\xfe", b"&a=1" * 50,
        b"username=member%0Atidewick",
    ],
)  # fmt: skip
def test_a_wrong_form_opens_nothing(ask, form):
    """A wrong, broken or oversized pair is refused and sets no cookie."""
    answer = ask(expected.LOGIN_ACTION, "POST", form)
    assert answer.status == 403
    assert answer.getheader("Set-Cookie") is None


def test_posting_elsewhere_is_not_allowed(ask):
    """Only the two actions take a form."""
    answer = ask("/visit/", "POST", b"a=1")
    assert (answer.status, answer.getheader("Allow")) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (b"POST /members/login HTTP/1.1", b"411"),
        (b"POST /members/login HTTP/1.1\r\nContent-Length: many", b"411"),
        (b"POST /members/login HTTP/1.1\r\nContent-Length: 8193", b"413"),
        (b"POST /members/login HTTP/1.1\r\nContent-Length: " + b"9" * 5000, b"413"),
        (b"GET http://[broken/ HTTP/1.1", b"400"),
        (b"GET /../../../etc/passwd HTTP/1.1", b"404"),
        (b"GET /%00%ff HTTP/1.1", b"404"),
        (b"GET / HTTP/1.1\r\nCookie: tidewick_session=\x00;;=;\xff", b"200"),
        (b'GET /members/ HTTP/1.1\r\nCookie: tidewick_session=a\\"b; a[b=c', b"302"),
    ],
)
def test_odd_requests_get_an_answer(site, lines, status):
    """A request that no browser sends is answered, and the site lives on."""
    answer = send_raw(site, lines + b"\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert answer.split(b" ", 2)[1] == status
    assert send_raw(site, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200 ")


def test_leaving_closes_the_port_and_kept_connections():
    """After the block nobody listens, and a connection kept open by a client has ended."""
    with SampleSite() as running:
        address = ("127.0.0.1", urlsplit(running.url).port)
        idle = socket.create_connection(address, timeout=30)
        idle.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert idle.recv(12) == b"HTTP/1.1 200"
    with idle:
        assert b"".join(iter(lambda: idle.recv(65536), b"")).endswith(b"</html>\n")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=30)


@pytest.mark.parametrize("port", [-1, 65536])
def test_an_impossible_port_is_named(port):
    """A port outside the range is refused by name."""
    with pytest.raises(PortInUse) as caught, SampleSite(port=port):
        pass
    assert str(port) in str(caught.value)


def test_a_taken_port_is_named(site):
    """Two sites cannot share a port; the second says which."""
    port = urlsplit(site.url).port
    with pytest.raises(PortInUse) as caught, SampleSite(port=port):
        pass
    assert str(port) in str(caught.value)


def test_the_module_serves_until_interrupted():
    """`python -m opilio.works.sample` prints its address, serves, and ends well on Ctrl-C."""
    command = [sys.executable, "-m", "opilio.works.sample"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        address = urlsplit(process.stdout.readline().strip())
        connection = http.client.HTTPConnection(address.netloc, timeout=30)
        connection.request("GET", address.path)
        assert connection.getresponse().status == 200
        connection.close()
        os.kill(process.pid, signal.SIGINT)
        process.stdout.read()
        assert process.wait(timeout=30) == 0


def test_the_module_says_when_it_cannot_listen(site):
    """A taken port ends the program with the documented exit code and a sentence."""
    command = [sys.executable, "-m", "opilio.works.sample", "--port", str(urlsplit(site.url).port)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == PortInUse.exit_code
    assert "Name another port" in done.stderr
