"""How an S3-compatible server is reached: from the settings, checked before the first request."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from opilio.kernel.errors import BadSetting
from opilio.kernel.settings import Settings

_MEGABYTE = 1 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class S3Options:
    """The ways to a server and the limits of patience with it."""

    endpoint: str = ""  # empty: AWS
    region: str = "us-east-1"
    access_key: str = field(default="", repr=False)  # empty: what the machine's AWS settings or role give
    secret_key: str = field(default="", repr=False)
    ca_file: str = ""  # certificate authority of the server; empty: the system's
    timeout: float = 60.0  # seconds for one request with its answer
    retries: int = 4  # of one request, within twice the timeout
    part: int = 8 * _MEGABYTE  # bytes of one part; larger objects go up in parts
    parallel: int = 3  # parts under way at a time
    largest_copy: int = 5_000 * _MEGABYTE  # bytes that S3 copies in one request

    def __post_init__(self) -> None:
        if not self.endpoint:
            return
        parts = urlsplit(self.endpoint)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.query:
            remedy = "Write it as https://s3.example.org, without user name or password."
            raise BadSetting("s3_endpoint is no address of a server", where="s3_endpoint", remedy=remedy)


def s3_options(settings: Settings) -> S3Options:
    """What the settings say about S3."""
    if bool(settings.s3_access_key) != bool(settings.s3_secret_key):
        missing = "s3_secret_key" if settings.s3_access_key else "s3_access_key"
        remedy = "Set both keys, or neither to use those of the machine."
        raise BadSetting(f"{missing} is empty", where=missing, remedy=remedy)
    return S3Options(
        endpoint=settings.s3_endpoint,
        region=settings.s3_region,
        access_key=settings.s3_access_key,
        secret_key=settings.s3_secret_key,
        ca_file=settings.s3_ca_file,
        timeout=settings.s3_timeout,
    )
