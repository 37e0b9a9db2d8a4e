"""robots.txt per host, as a control file says; it is read at each request, so a test may change it at any time."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.servers.answers import Answer, Ending, Pause, Response, Script, Step, head
from tests.servers.behaviour import Behaviour, Visit

_FILLER = b"# straw\n" * 1024


@dataclass(frozen=True, kw_only=True)
class Rule:
    """How one host answers for /robots.txt."""

    status: int = 200
    body: str = ""
    type: str = "text/plain; charset=utf-8"
    location: str | None = None  # of a redirect
    filler: int = 0  # KiB of comment lines before the body: a huge file
    wait: float = 0  # seconds before the answer
    reset: bool = False  # reset the connection instead


def write_rules(path: Path, rules: Mapping[str, Rule]) -> None:
    """Replace the control file in one step."""
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps({host: asdict(rule) for host, rule in rules.items()}), encoding="utf-8")
    fresh.replace(path)


def rule_for(host: str, path: Path | None) -> Rule | None:
    """The rule of a host, or of all others (`*`)."""
    if path is None or not path.exists():
        return None
    try:
        rules = json.loads(path.read_text(encoding="utf-8"))
        fields = rules.get(host, rules.get("*"))
        return None if fields is None else Rule(**fields)
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{path.name} is no JSON object of hosts with the fields of Rule: {error}") from error


def is_controlled(host: str, path: Path | None) -> bool:
    """Whether a rule applies, which then wins over the robots.txt of a served folder."""
    return rule_for(host, path) is not None


def robots(visit: Visit) -> Answer:
    """What the control file says for the host; 404 without a rule."""
    rule = rule_for(visit.request.host, visit.memory.robots_file)
    if rule is None:
        return Response(status=404, body=b"No robots.txt here.\n", type="text/plain")
    if rule.reset or rule.wait or rule.filler:
        return Script(steps=_steps(rule))
    location = (("Location", rule.location),) if rule.location else ()
    return Response(status=rule.status, headers=location, body=rule.body.encode(), type=rule.type)


def _steps(rule: Rule) -> Iterator[Step]:
    if rule.wait:
        yield Pause(seconds=rule.wait)
    if rule.reset:
        yield Ending.RESET
    body = rule.body.encode()
    length = str(rule.filler * 1024 + len(body))
    yield head(
        f"{rule.status} As told", (("Content-Type", rule.type), ("Content-Length", length), ("Connection", "close"))
    )
    for _ in range(rule.filler // 8):
        yield _FILLER
    yield _FILLER[: rule.filler % 8 * 1024] + body


BEHAVIOURS = (Behaviour(name="robots", path="/robots.txt", answer=robots),)
