"""URLs as the queue keeps them: without the host, which stands beside them, and the buckets that hosts fall into."""

import hashlib

#: There are at most so many buckets; a host falls into one by its name, for ever.
BUCKETS = 1024
#: A host's number is its bucket and a count inside the bucket, so that a bucket is a range of hosts.
HOSTS_PER_BUCKET = 1 << 20


def bucket_of(name: str) -> int:
    """The bucket of a host's name (`host_key`)."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=2).digest(), "big") % BUCKETS


def bucket_of_host(host: int) -> int:
    """The bucket of a host's number."""
    return host // HOSTS_PER_BUCKET


def first_host(bucket: int) -> int:
    """The smallest number a host of this bucket can have."""
    return bucket * HOSTS_PER_BUCKET


def shortened(url: str, name: str) -> str:
    """A URL without its host: `/path` for https, `:/path` for http; any other URL as it is."""
    for scheme, mark in (("https://", ""), ("http://", ":")):
        if url.startswith(scheme) and url.startswith(name, len(scheme)):
            rest = url[len(scheme) + len(name) :]
            return f"{mark}{rest}" if rest.startswith("/") else url
    return url


def restored(short: str, name: str) -> str:
    """The URL that was shortened."""
    if short.startswith("/"):
        return f"https://{name}{short}"
    return f"http://{name}{short[1:]}" if short.startswith(":") else short
