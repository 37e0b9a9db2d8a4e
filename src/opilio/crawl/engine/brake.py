"""Stops a crawl from inside its own process: the first pull lets requests under way end, the second ends at once."""

from dataclasses import replace

from opilio.crawl.frontier.control import Control, CrawlState


class Brake:
    """Not pulled at first. May be pulled from any thread or signal handler."""

    def __init__(self) -> None:
        self._pulls = 0

    def pull(self) -> None:
        """Stop; once more: at once."""
        self._pulls += 1

    @property
    def pulls(self) -> int:
        """How often it was pulled."""
        return self._pulls

    def held(self, control: Control) -> Control:
        """The orders, with the brake among them."""
        if self._pulls == 0:
            return control
        return replace(control, state=CrawlState.STOPPING if self._pulls == 1 else CrawlState.ABORTING)
