"""The columns of overrides that people fill in, by name."""

VALUES = (
    "robots_policy", "politeness", "max_seconds", "max_bytes", "max_documents", "max_path_depth", "max_hops",
    "excluded_mime_types",
)  # fmt: skip
SWITCHES = (
    *(f"overrides_{name}" for name in VALUES), "overrides_exclusions", "overrides_inclusions", "overrides_credentials",
)  # fmt: skip
COLUMNS = (*VALUES, *SWITCHES)
