"""The errors of cron expressions.

InvalidInput
├── BadCron               a text that is no cron expression
│   ├── NeverFires        an expression that no coming moment fits
│   └── FiresTooOften     an expression whose moments lie too close together
└── BadZone               a name that is no time zone
"""

from opilio.kernel.errors import InvalidInput


class BadCron(InvalidInput):
    """A text that is no cron expression."""


class NeverFires(BadCron):
    """A cron expression that no coming moment fits."""


class FiresTooOften(BadCron):
    """A cron expression whose moments lie closer together than is allowed."""


class BadZone(InvalidInput):
    """A name that is no time zone."""
