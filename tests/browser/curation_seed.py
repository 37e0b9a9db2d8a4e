"""An installation with all that the story of a target needs, and its pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import urlopen

from tests.browser.site import Site, running_site
from tests.installations import Installation

_FILL = "from tests.browser.curation_letters import fill; fill()"


@contextmanager
def running_story(installation: Installation) -> Iterator[Site]:
    """Fill the installation and serve it until the block ends."""
    with running_site(installation) as running:
        filled = installation.python(_FILL)
        if filled.returncode:
            raise RuntimeError(f"The installation could not be filled:\n{filled.stderr}")
        with urlopen(f"{running.url}/nominate", timeout=240) as first:
            first.read()  # the first answer loads the pages
        yield running
