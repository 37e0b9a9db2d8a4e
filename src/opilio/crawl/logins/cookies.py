"""The `Cookie` header of a request with a credential: the session's own cookies before those the credential brings."""

from collections.abc import Sequence


def cookie_header(own: str | None, brought: Sequence[tuple[str, str]]) -> str:
    """One header of both; a cookie that the server set anew replaces the brought one of its name."""
    parts = own.split("; ") if own else []
    names = {part.partition("=")[0] for part in parts}
    return "; ".join([*parts, *(f"{name}={value}" for name, value in brought if name not in names)])
