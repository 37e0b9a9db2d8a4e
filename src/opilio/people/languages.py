"""Languages of the pages by their codes."""

from django.conf import settings

from opilio.people.errors import InvalidFields


def check(code: str) -> str:
    """The code, if pages can be had in that language; empty: as the browser asks."""
    known = [offered for offered, _ in settings.LANGUAGES]
    if code and code not in known:
        told = f"The pages do not speak {code[:16]!r}; choose one of {', '.join(known)}."
        raise InvalidFields({"language": [told]})
    return code
