"""`opilio doctor`: is the installation in order, and if not, what to do."""

from collections.abc import Iterator

from opilio.cli.command import command, single_app
from opilio.cli.loading import catalogue_part
from opilio.cli.output import Answer, Part, Rows, steps
from opilio.kernel import config
from opilio.kernel.errors import OpilioError
from opilio.kernel.settings import Settings
from opilio.server.checks import machine, network
from opilio.server.checks.finding import Finding, Level, examined, ok, problem

app = single_app()


@command(app, "doctor")
def doctor() -> Answer:
    """Check settings, machine, database, agents and servers; exit code 1 when something does not work."""
    found = []
    with steps() as step:
        advance = step("Examining")
        for finding in _findings():
            found.append(finding)
            advance(len(found), len(found) + 1)
    rows = [(one.check, one.level.value, one.words, one.remedy) for one in found]
    bad = [one for one in found if one.level is Level.PROBLEM]
    document = {
        "ok": not bad,
        "findings": [
            {"check": one.check, "level": one.level.value, "words": one.words, "remedy": one.remedy} for one in found
        ],
    }
    parts: list[Part] = [Rows(columns=("check", "result", "found", "remedy"), rows=rows), _summary(found)]
    return Answer(document=document, parts=parts, exit_code=1 if bad else 0)


def _findings() -> Iterator[Finding]:
    try:
        settings = config.load().settings
    except OpilioError as error:
        yield _told("settings", error)
        return
    yield ok("settings", "can be used")
    yield from examined(machine.checks(settings))
    yield from examined(network.checks(settings))
    yield from _catalogue(settings)


def _catalogue(settings: Settings) -> Iterator[Finding]:
    try:
        yield from catalogue_part("opilio.server.checks.catalogue").findings(settings)
    except OpilioError as error:
        yield _told("database", error)


def _told(check: str, error: OpilioError) -> Finding:
    return problem(check, f"{error.what} ({error.where})" if error.where else error.what, error.remedy)


def _summary(found: list[Finding]) -> str:
    counts = {level: sum(one.level is level for one in found) for level in Level}
    return f"{counts[Level.OK]} in order, {counts[Level.WARNING]} warnings, {counts[Level.PROBLEM]} problems."
