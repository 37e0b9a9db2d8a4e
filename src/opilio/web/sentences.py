"""Sentences that the code puts together, told in the reader's language.

Actions and views say in English what happened, names and numbers already in it. A page knows such a sentence by its
shape and says the shape in the reader's language, with the same names and numbers; one of an unknown shape stays
English.
"""

import functools
import re

from opilio.web import languages

#: Every shape, with its values counted; the catalogue holds them in other languages.
SHAPES = (
    "Added: {0}.",
    "It cannot be used: {0}",
    "Line {0}: {1}",
    "Nothing is selected. {0}",
    "Result {0} is begun: an agent fetches {1}.",
    "Result {0} is begun; it is ready in a moment.",
    "Result {0} is being made; it waits for review in a moment.",
    "Saved. {0}",
    "The agency {0} is made.",
    "The authorisation {0} is made. Add the permission that you ask for.",
    "The group {0} is made. Say who belongs to it.",
    "The harvest is told, and keeps to it within two seconds. {0}",
    "The kind {0} was deleted.",
    "The pattern {0} is made.",
    "The permission is noted as {0}; owners of linked targets are told.",
    "The profile {0} is imported.",
    "The profile {0} is made.",
    "The request is on its way to {0}.",
    "The role {0} is made.",
    "The rule for {0} counts from the next job that it looks for.",
    "The rules of {0} are saved.",
    "The target {0} is made, with {1} as its seed.",
    "The target {0} is made. Say where its harvest starts.",
    "The template {0} is made.",
    "The token {0} is revoked.",
    "The user {0} is made.",
    "The view “{0}” is kept.",
    "{0} URLs are on the list; {1} stood there already.",
    "{0} can be asked for permission from now on.",
    "{0} finds it in the in-tray.",
    "{0} has a new password; all their sessions were ended.",
    "{0} has the same members as {1}; schedules were not copied.",
    "{0} has these roles from the next request on.",
    "{0} is a seed now.",
    "{0} is declined.",
    "{0} is judged by these limits from now on.",
    "{0} is left out from now on.",
    "{0} is made, with the seeds of {1}.",
    "{0} is rejected.",
    "{0} is yours now.",
    "{0} owns {1} now, and was told.",
    "{0} records were taken back.",
    "{0} seeds are added.",
    "{0} seeds were moved.",
    "{0} targets and groups have the other profile now.",
    "{0} is deleted. The page Deleted restores it.",
    "{0} is restored.",
    "{0}: saved.",
    "“{0}” can be chosen from now on.",
    "“{0}” can be chosen now.",
    "“{0}” can be put on harvests now.",
    "“{0}” is made. {1}",
    "There is no {0} with the number {1}",
    "Ensure this value has at most {0} characters (it has {1}).",
)
_VALUE = re.compile(r"\{\d\}")


def told(text: object) -> str:
    """A sentence in the reader's language."""
    words = str(text)
    found = languages.translated(words)
    if found != words:
        return found
    for shape, pattern in _patterns():
        if (match := pattern.fullmatch(words)) is not None:
            return languages.translated(shape).format(*match.groups())
    return words


@functools.cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The longest shapes first: they say most about the sentence."""
    return tuple((shape, re.compile(_regex(shape), re.DOTALL)) for shape in sorted(SHAPES, key=len, reverse=True))


def _regex(shape: str) -> str:
    return "(.+)".join(re.escape(part) for part in _VALUE.split(shape))
