"""Text from outside (an exception, a runner) as every database can keep it."""


def storable(text: str, longest: int) -> str:
    """`text` without what PostgreSQL refuses (NUL, half a surrogate pair), cut to `longest` characters."""
    clean = text.replace("\x00", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"
