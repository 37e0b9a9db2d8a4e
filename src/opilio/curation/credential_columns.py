"""The columns of credentials that people fill in, by name."""

#: Columns that decide where and how the secret is sent: whoever changes one must know the secret.
WAYS = (
    "kind", "domain", "username", "realm", "login_url", "method", "username_field", "password_field", "header_name",
)  # fmt: skip
