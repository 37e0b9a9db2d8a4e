"""The headers that bind the browser; tests of pages ask for them on every answer."""

import re

_WANTED = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_POLICY = {
    "default-src": {"'none'", "'self'"}, "object-src": {"'none'"}, "base-uri": {"'none'", "'self'"},
    "frame-ancestors": {"'none'"}, "form-action": {"'self'"},
}  # fmt: skip


def require_headers(answer):
    """Nothing foreign is loaded, nothing inline is run, nobody frames the page, no cache keeps it."""
    for name, value in _WANTED.items():
        assert answer[name] == value, (name, answer.get(name))
    assert "camera=()" in answer["Permissions-Policy"]
    assert re.search(r"no-store|private|max-age=0|no-cache", answer["Cache-Control"]), answer["Cache-Control"]
    policy = dict(_directive(part) for part in answer["Content-Security-Policy"].split(";") if part.strip())
    for name, allowed in _POLICY.items():
        given = policy.get(name, policy["default-src"] if name == "object-src" else None)
        assert given is not None, f"the policy says nothing of {name}"
        assert given <= allowed, (name, given)
    scripts = policy.get("script-src", policy["default-src"])
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "https:", "http:", "data:"} & scripts, scripts
    for name, cookie in answer.cookies.items():
        assert cookie["httponly"], name
        assert cookie["samesite"] == "Lax", name


def _directive(part):
    name, *values = part.split()
    return name, set(values)
