"""What a browser may load for a page: nothing but our own, unless the page needs a picture from elsewhere."""


def content_security_policy(images: str = "") -> str:
    """Nothing but our own scripts, styles and pictures, and pictures from one more place where a page needs that."""
    return "; ".join(
        (
            "default-src 'none'", "script-src 'self'", "style-src 'self'", f"img-src 'self' data: {images}".rstrip(),
            "font-src 'self'", "connect-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
            "manifest-src 'self'",
        )
    )  # fmt: skip
