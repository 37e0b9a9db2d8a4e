"""Where the archived copy of a page can be looked at: the one place that knows."""

from typing import Protocol
from urllib.parse import quote

from django.conf import settings

from opilio.web.find_words import moment, web_address


class Copied(Protocol):
    """Something of which there is an archived copy."""

    @property
    def url(self) -> str: ...
    @property
    def captured(self) -> float: ...
    @property
    def crawl(self) -> str: ...


def replay_url(copy: Copied) -> str | None:
    """The address of the archived copy; None while the setting `search_replay_url` names none."""
    pattern = settings.OPILIO.search_replay_url
    at = moment(copy.captured)
    if at is None or not web_address(pattern) or not web_address(copy.url):
        return None
    parts = {"{timestamp}": f"{at:%Y%m%d%H%M%S}", "{crawl}": quote(copy.crawl, safe=""), "{url}": copy.url}
    for name, value in parts.items():
        pattern = pattern.replace(name, value)
    return pattern
