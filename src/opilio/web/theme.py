"""Light or dark: the browser's wish, unless somebody chose; the choice lies in a cookie that the server reads."""

from django.http import HttpRequest, HttpResponse

COOKIE = "opilio-theme"
THEMES = ("light", "dark")
_YEAR = 365 * 24 * 3600  # seconds


def chosen(request: HttpRequest) -> str:
    """The chosen theme; empty: as the browser wishes."""
    theme = request.COOKIES.get(COOKIE, "")
    return theme if theme in THEMES else ""


def remember(response: HttpResponse, theme: str) -> None:
    """Keep the choice; anything but a theme goes back to the browser's wish."""
    if theme in THEMES:
        response.set_cookie(COOKIE, theme, max_age=_YEAR, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
