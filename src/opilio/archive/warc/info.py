"""The warcinfo record: who made a file, with what, under which rules (WARC 1.1 §6.2, Dublin Core terms)."""

from dataclasses import dataclass

from opilio import __version__

#: Where the format is described.
CONFORMS_TO = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


#: Our own field for the plan of the crawl.
PLAN_FIELD = "opilio-plan"


@dataclass(frozen=True, kw_only=True, slots=True)
class WarcInfo:
    """What the first record of each file says; empty fields are left out."""

    software: str = f"Opilio/{__version__}"
    operator: str = ""  # who answers for the crawl: name and contact address
    is_part_of: str = ""  # the harvest or crawl
    description: str = ""
    robots: str = ""  # the robots policy: obey, ignore, per-host
    user_agent: str = ""
    http_from: str = ""  # the From header, where one is sent
    hostname: str = ""  # of the machine that crawls
    ip: str = ""
    plan: str = ""  # what was asked for, as JSON on one line, so that the captures can be understood alone

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Names and values in the order of the file."""
        pairs = (
            ("software", self.software),
            ("format", "WARC File Format 1.1"),
            ("conformsTo", CONFORMS_TO),
            ("operator", self.operator),
            ("isPartOf", self.is_part_of),
            ("description", self.description),
            ("robots", self.robots),
            ("http-header-user-agent", self.user_agent),
            ("http-header-from", self.http_from),
            ("hostname", self.hostname),
            ("ip", self.ip),
            (PLAN_FIELD, self.plan),
        )
        return tuple((name, value) for name, value in pairs if value)
