"""The anonymous signature of a WACZ (WACZ signing and verification 0.1.0): ECDSA over the digest of datapackage.json.

Browsers check it with the curve P-384 and SHA-256, and want both numbers of a signature one behind the other. Numbers
are chosen by RFC 6979, so that the same package has the same signature.
"""

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_public_key,
    load_pem_private_key,
)

from opilio.archive.wacz.errors import BadSigningKey
from opilio.kernel.files import reading

#: The version of the specification that the signature follows.
VERSION = "0.1.0"
_LONGEST = 64 * 1024  # bytes of a key file
_REMEDY = "Make one: openssl ecparam -genkey -name secp384r1 -noout -out key.pem"


class Signer:
    """Signs with one key."""

    def __init__(self, key: ec.EllipticCurvePrivateKey) -> None:
        self._key = key
        self._width = (key.curve.key_size + 7) // 8

    def sign(self, digest: str, *, created: str, software: str) -> dict[str, str]:
        """The signature of a digest (`sha256:…`), with all that is needed to check it."""
        made = self._key.sign(digest.encode(), ec.ECDSA(SHA256(), deterministic_signing=True))
        first, second = decode_dss_signature(made)
        raw = first.to_bytes(self._width, "big") + second.to_bytes(self._width, "big")
        public = self._key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return {
            "hash": digest,
            "created": created,
            "software": software,
            "version": VERSION,
            "signature": base64.b64encode(raw).decode(),
            "publicKey": base64.b64encode(public).decode(),
        }


def read_key(path: Path) -> Signer:
    """The key of a PEM file; `BadSigningKey` unless it is an unencrypted one on the curve P-384."""
    with reading(path), path.open("rb") as stream:
        data = stream.read(_LONGEST)
    try:
        key = load_pem_private_key(data, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise BadSigningKey("the key cannot be read, or is encrypted", where=str(path), remedy=_REMEDY) from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP384R1):
        what = "WACZ files are signed with a key on the curve P-384, and this is another"
        raise BadSigningKey(what, where=str(path), remedy=_REMEDY)
    return Signer(key)


def is_signed_well(signed: Mapping[str, object], digest: str) -> bool:
    """Whether an anonymous signature is that of its key, over this digest."""
    signature, public = signed.get("signature"), signed.get("publicKey")
    if signed.get("hash") != digest or not isinstance(signature, str) or not isinstance(public, str):
        return False
    try:
        key = load_der_public_key(base64.b64decode(public, validate=True))
        raw = base64.b64decode(signature, validate=True)
        if not isinstance(key, ec.EllipticCurvePublicKey):
            return False
        key.verify(_der(raw, (key.curve.key_size + 7) // 8), digest.encode(), ec.ECDSA(SHA256()))
    except (ValueError, binascii.Error, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def _der(raw: bytes, width: int) -> bytes:
    """Some programs write both numbers plainly, some in DER."""
    if len(raw) != 2 * width:
        return raw
    return encode_dss_signature(int.from_bytes(raw[:width], "big"), int.from_bytes(raw[width:], "big"))
