"""A small archive about owls: its pages, who may see them, and the way in."""

from urllib.parse import urlencode

from opilio.kernel.access import Decision, Statement

PAGE = b"<!doctype html><head><title>Owls</title></head><body><a href='/b'>b</a><img src=i.png></body>"


AGAIN = b"<!doctype html><title>Owls again</title><a href=/b>"


SOUND = bytes(range(256)) * 400


T = "/20260101120000/"


def access(url, captured):
    if "closed" in url:
        return Decision(allowed=False, reason="Under embargo.", rule="r7")
    if "hidden" in url:
        return Decision(allowed=False, reason="Never heard of.", rule="r8", told=False)
    if "rooms" in url:
        return Decision(allowed=False, reason="No permission opens it.")
    said = Statement(text="© The owls", link="https://rights.test/", requirements="Quote the source.")
    return Decision(allowed=True, reason="", statements=(said,) if url.endswith("/owned") else ())


def open_path(server, token=None, *, url="http://a.test/", result=1):
    given = token if token is not None else server.replay.seals.make("open", result, seconds=60)
    return f"/_opilio/open?{urlencode({'token': given, 'time': '20260101120000', 'url': url})}"
