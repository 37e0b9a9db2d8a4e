"""What axe finds on a page; the same for all tests in a browser."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: What depends on the colours alone: the rest is the same on a dark page.
_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
_BRIEF = {"resultTypes": ["violations"]}  # of the rules that hold, axe need not tell every place


#: The frame is the same on every page, and the colours are those of the tokens: other tests look at both.
_QUICK = {**_BRIEF, "rules": {"color-contrast": {"enabled": False}}}
_WITHIN = {"exclude": [[".sidebar"], [".topbar"]]}


def faults(page: Page) -> list[str]:
    """One line per rule and place."""
    return _told(Axe().run(page, options=_BRIEF).response)


def faults_within(page: Page) -> list[str]:
    """The faults of what is not the frame, but for its colours: quick enough for every page."""
    return _told(Axe().run(page, context=_WITHIN, options=_QUICK).response)


def faults_in_both_themes(page: Page) -> list[str]:
    """The faults of a page that shows itself in light, and those of its colours in the dark."""
    found = faults(page)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {one}" for one in _told(page.evaluate("options => axe.run(options)", {**_BRIEF, **_COLOURS}))]
    page.emulate_media(color_scheme="light")
    return found


def _told(answer: dict) -> list[str]:
    return [f"{one['id']}: {node['html'][:200]}" for one in answer["violations"] for node in one["nodes"]]
