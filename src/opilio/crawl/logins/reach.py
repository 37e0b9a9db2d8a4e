"""Where a credential may be sent: hosts or one domain, below a path, over https unless it says otherwise."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, kw_only=True, slots=True)
class Reach:
    """Names are lower case; one without a port means the usual port of the scheme."""

    hosts: tuple[str, ...] = ()  # exactly these: `a.example.org`, `b.example.org:8443`
    domain: str = ""  # this name and every name below it
    path: str = "/"  # prefix
    https_only: bool = True

    def admits(self, url: str) -> bool:
        """Whether the credential may be sent with a request for this URL."""
        return not self.refusal(url)

    def refusal(self, url: str) -> str:
        """Why it may not be sent there, as the end of a sentence; empty when it may."""
        parts = urlsplit(url)
        if not self.names(url):
            return f"it is not for {parts.netloc.rpartition('@')[2][:200]}"
        if self.https_only and parts.scheme != "https":
            return "it is for https only"
        if not (parts.path or "/").startswith(self.path):
            return f"it is only for what lies below {self.path}"
        return ""

    def beside(self) -> "Reach":
        """The same hosts, whatever the path: a login form may lie beside the pages that it opens."""
        return replace(self, path="/")

    def names(self, url: str) -> bool:
        """Whether the host of a URL is meant, whatever its scheme and path."""
        parts = urlsplit(url)
        usual = _PORTS.get(parts.scheme)
        port = parts.port or usual
        host = parts.hostname or ""
        if any((host, port) == _split(name, usual) for name in self.hosts):
            return True
        domain, wanted = _split(self.domain, usual)
        return bool(domain) and port == wanted and (host == domain or host.endswith(f".{domain}"))


def _split(name: str, usual: int | None) -> tuple[str, int | None]:
    host, colon, port = name.rpartition(":")
    if not colon or name.endswith("]"):
        return name.strip("[]"), usual
    return host.strip("[]"), int(port)
