"""The errors of screenshots.

Missing
└── NoPicture       there is no picture of that page
Unavailable
├── NoBrowser       Playwright or Chromium is missing, or does not start
└── PageFailed      the page could not be shown
"""

from opilio.kernel.errors import Missing, Unavailable


class NoPicture(Missing):
    """There is no picture of that page."""


class NoBrowser(Unavailable):
    """Playwright or Chromium is missing, or does not start."""


class PageFailed(Unavailable):
    """The page could not be shown."""
