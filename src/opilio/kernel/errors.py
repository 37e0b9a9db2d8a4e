"""The errors of Opilio: six kinds, from which every package derives its own.

OpilioError
├── InvalidInput          what was given cannot be used as it is
│   ├── ConfigError       a setting
│   │   ├── UnknownSetting
│   │   ├── BadSetting
│   │   └── BrokenConfigFile
│   ├── BadUrl            a URL that names nothing that can be fetched
│   └── BadName           a name that cannot be used for a file
├── Denied                the asker lacks the privilege, or must sign in
├── Missing               the thing asked for is not there, or not visible to the asker
├── Conflict              somebody else changed or took it first
├── Unavailable           a server, a disk or a port that is needed cannot be had now
│   ├── NoSpace
│   ├── NotWritable
│   └── PortInUse
└── Damaged               stored data does not hold what it should

The kind decides the exit code of the CLI and the status of an HTTP answer; the class names the case.
"""

import re
from typing import ClassVar


class OpilioError(Exception):
    """Something failed; the message says what, where, and what to do next."""

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500
    usual_remedy: ClassVar[str] = ""  # what to do when whoever raises it says nothing better

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy or self.usual_remedy

    @property
    def code(self) -> str:
        """The name of the case for machines: `unknown-setting`."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", type(self).__name__).lower()

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where else ""
        remedy = f" {self.remedy}" if self.remedy else ""
        return f"{self.what}{place}.{remedy}" if not self.what.endswith((".", "!", "?")) else f"{self.what}{remedy}"


class InvalidInput(OpilioError):
    """What was given cannot be used as it is."""

    exit_code = 2
    http_status = 422


class Denied(OpilioError):
    """The asker lacks the privilege, or must sign in."""

    exit_code = 3
    http_status = 403


class Missing(OpilioError):
    """The thing asked for is not there, or not visible to the asker."""

    exit_code = 4
    http_status = 404


class Conflict(OpilioError):
    """Somebody else changed or took it first."""

    exit_code = 5
    http_status = 409


class Unavailable(OpilioError):
    """A server, a disk or a port that is needed cannot be had now."""

    exit_code = 6
    http_status = 503


class Damaged(OpilioError):
    """Stored data does not hold what it should."""

    exit_code = 7
    http_status = 500


class ConfigError(InvalidInput):
    """A setting cannot be used."""


class UnknownSetting(ConfigError):
    """A setting that Opilio does not have."""


class BadSetting(ConfigError):
    """A setting whose value has the wrong type or is out of range."""


class BrokenConfigFile(ConfigError):
    """The configuration file cannot be read as TOML."""


class BadUrl(InvalidInput):
    """A URL that names nothing that can be fetched."""


class BadName(InvalidInput):
    """A name that cannot be used for a file."""


class NoSpace(Unavailable):
    """The disk has too little room for what is to be written."""


class NotWritable(Unavailable):
    """A folder or file that must be written to cannot be."""


class PortInUse(Unavailable):
    """Another program listens on the port."""
