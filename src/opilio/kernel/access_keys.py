"""The pair of keys by which rules of access are signed and known as genuine; the private one stays with its maker."""

from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import SECRET, reading, write_atomically

_LONGEST = 16_384  # bytes of a key file


class BadKey(InvalidInput):
    """A file that holds no key of the kind that is needed."""


def make_keys(private: Path, public: Path) -> None:
    """Make a pair of keys in PEM form; keys that are there stay."""
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_atomically(private, secret, mode=SECRET, replace=False)
    kept = signing_key(private)
    write_atomically(public, kept.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))


def signing_key(path: Path) -> Ed25519PrivateKey:
    """The key to sign with."""
    try:
        key = load_pem_private_key(_read(path), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKey("this is no Ed25519 private key", where=str(path), remedy="Name the key that was made for rules.")
    return key


def checking_key(path: Path) -> Ed25519PublicKey:
    """The key to check signatures with."""
    try:
        key = load_pem_public_key(_read(path))
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise BadKey("this is no Ed25519 public key", where=str(path), remedy="Name the key that belongs to the rules.")
    return key


def _read(path: Path) -> bytes:
    with reading(path), path.open("rb") as stream:
        return stream.read(_LONGEST)
