"""The headers that confine what is replayed: everything comes from the result's own host name, or not at all.

There is no `sandbox`: it would take the service worker, PDF viewers and downloads away. docs/explanation/replay.md
says what each line is for and what no header can prevent.
"""

from typing import Final

from opilio.archive.replay.messages import Header

_INERT = "'self' data: blob:"
_SCRIPTS = "'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob:"
#: Devices and rights that an archived page has no use for.
_RIGHTS: Final = (
    "accelerometer", "browsing-topics", "camera", "display-capture",
    "geolocation", "gyroscope", "hid", "idle-detection", "magnetometer", "microphone", "midi", "otp-credentials",
    "payment", "publickey-credentials-get", "screen-wake-lock", "serial", "storage-access", "usb",
    "xr-spatial-tracking",
)  # fmt: skip
_COMMON: Final[tuple[Header, ...]] = (
    ("referrer-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("origin-agent-cluster", "?1"),
    ("x-dns-prefetch-control", "off"),
    ("x-robots-tag", "noindex, nofollow, noarchive"),
    ("permissions-policy", ", ".join(f"{name}=()" for name in _RIGHTS)),
)


def archived_policy(*, scripts: bool, ancestors: str = "'self'") -> tuple[Header, ...]:
    """The headers of every archived answer."""
    return (("content-security-policy", _content_policy(scripts, ancestors)), *_COMMON)


def own_policy(*, scripts: bool = False, referrer: str = "no-referrer") -> tuple[Header, ...]:
    """The headers of our own pages: nothing but our own style, and our own script where the page needs it."""
    allowed = "script-src 'self'; worker-src 'self'; connect-src 'self'; " if scripts else ""
    ours = "style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
    policy = f"default-src 'none'; {allowed}{ours}"
    own = (("referrer-policy", referrer), ("x-content-type-options", "nosniff"), ("cache-control", "no-store"))
    common = tuple(header for header in _COMMON if header[0] != "referrer-policy")
    return (("content-security-policy", policy), *own, *common)


def _content_policy(scripts: bool, ancestors: str) -> str:
    return "; ".join(
        (
            f"default-src {_INERT}",
            f"script-src {_SCRIPTS}" if scripts else "script-src 'none'",
            "style-src 'self' 'unsafe-inline' data: blob:",
            f"connect-src {_INERT}" if scripts else "connect-src 'none'",
            "worker-src 'self' blob:" if scripts else "worker-src 'none'",
            "frame-src 'self'",
            "object-src 'self'",
            "form-action 'self'",
            "base-uri 'self'",
            "manifest-src 'self'",
            f"frame-ancestors {ancestors}",
        )
    )
