"""Keeps pictures of a story while it is told: of chosen steps, and of one of them also dark and small."""

from collections.abc import Callable, Collection

from playwright.sync_api import Page, ViewportSize

from tests.browser.site import ROOT

FOLDER = ROOT / "docs" / "screenshots"
LARGE: ViewportSize = {"width": 1280, "height": 1000}
_SMALL: ViewportSize = {"width": 360, "height": 740}


def names(prefix: str, kept: Collection[str], both: str) -> tuple[str, ...]:
    """The names of the pictures."""
    return (*(f"{prefix}-{name}" for name in kept), f"{prefix}-{both}-dark", f"{prefix}-{both}-small")


def looker(page: Page, prefix: str, kept: Collection[str], both: str, prepare: str = "") -> Callable[[str], None]:
    """What a story calls at each step; `prepare` is a script to run before a picture, `both` the step to see thrice."""

    def keep(name: str) -> None:
        if prepare:
            page.evaluate(prepare)
        page.screenshot(path=str(FOLDER / f"{prefix}-{name}.png"))

    def look(name: str) -> None:
        if name in kept:
            keep(name)
        if name == both:
            page.emulate_media(color_scheme="dark")
            keep(f"{both}-dark")
            page.emulate_media(color_scheme="light")
            page.set_viewport_size(_SMALL)
            keep(f"{both}-small")
            page.set_viewport_size(LARGE)

    return look
