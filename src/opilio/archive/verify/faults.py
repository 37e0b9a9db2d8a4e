"""What can be wrong with an archive: a fixed table of kinds, and the value that says where one was found.

An error means that data is damaged or that other programs will read it wrongly; a warning, that something is unusual.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How bad a fault is."""

    ERROR = "error"
    WARNING = "warning"


class Code(StrEnum):
    """The kinds of faults."""

    # the file
    FILE_EMPTY = "file-empty"
    FILE_UNREADABLE = "file-unreadable"
    FILE_OPEN = "file-open"
    NOT_AN_ARCHIVE = "not-an-archive"
    GARBAGE = "garbage"
    PACKING_MIXED = "packing-mixed"
    WARCINFO_MISSING = "warcinfo-missing"
    # the gzip member
    MEMBER_HEADER = "member-header"
    MEMBER_BROKEN = "member-broken"
    MEMBER_CHECKSUM = "member-checksum"
    MEMBER_SIZE = "member-size"
    MEMBER_TRUNCATED = "member-truncated"
    MEMBER_EMPTY = "member-empty"
    ONE_MEMBER = "one-member"
    SEVERAL_RECORDS = "several-records"
    RECORD_SPLIT = "record-split"
    # the framing of the record
    VERSION_UNKNOWN = "version-unknown"
    VERSION_OLD = "version-old"
    HEADER_UNENDED = "header-unended"
    HEADER_LINE_END = "header-line-end"
    HEADER_SYNTAX = "header-syntax"
    HEADER_ENCODING = "header-encoding"
    LENGTH_INVALID = "length-invalid"
    LENGTH_WRONG = "length-wrong"
    RECORD_END = "record-end"
    RECORD_TRUNCATED = "record-truncated"
    # its fields
    FIELD_MISSING = "field-missing"
    FIELD_REPEATED = "field-repeated"
    FIELD_MISPLACED = "field-misplaced"
    TYPE_UNKNOWN = "type-unknown"
    ID_INVALID = "id-invalid"
    ID_REPEATED = "id-repeated"
    DATE_INVALID = "date-invalid"
    DATE_PRECISION = "date-precision"
    URI_INVALID = "uri-invalid"
    URI_BRACKETS = "uri-brackets"
    ADDRESS_INVALID = "address-invalid"
    DIGEST_UNREADABLE = "digest-unreadable"
    DIGEST_UNKNOWN = "digest-unknown"
    PROFILE_UNKNOWN = "profile-unknown"
    CONTENT_TYPE_MISSING = "content-type-missing"
    TRUNCATED = "truncated"
    TRUNCATED_UNKNOWN = "truncated-unknown"
    # what it holds
    BLOCK_DIGEST = "block-digest"
    PAYLOAD_DIGEST = "payload-digest"
    PAYLOAD_DIGEST_RAW = "payload-digest-raw"
    HTTP_HEAD = "http-head"
    HTTP_LENGTH = "http-length"
    HTTP_CHUNKS = "http-chunks"
    # what it refers to
    REVISIT_UNRESOLVED = "revisit-unresolved"
    REVISIT_CHAIN = "revisit-chain"
    REVISIT_DIGEST = "revisit-digest"
    CONCURRENT_UNRESOLVED = "concurrent-unresolved"
    WARCINFO_UNRESOLVED = "warcinfo-unresolved"
    SEGMENT_INVALID = "segment-invalid"
    SEGMENT_MISSING = "segment-missing"
    SEGMENT_TOTAL = "segment-total"
    # ARC
    ARC_HEADER = "arc-header"
    ARC_DATE = "arc-date"
    ARC_ADDRESS = "arc-address"
    ARC_DESCRIPTION = "arc-description"
    # the index
    INDEX_LINE = "index-line"
    INDEX_ORDER = "index-order"
    INDEX_FILE = "index-file"
    INDEX_OFFSET = "index-offset"
    INDEX_LENGTH = "index-length"
    INDEX_URL = "index-url"
    INDEX_TIME = "index-time"
    INDEX_DIGEST = "index-digest"
    INDEX_INCOMPLETE = "index-incomplete"
    INDEX_MISSING = "index-missing"
    # the manifest of a result
    MANIFEST_UNREADABLE = "manifest-unreadable"
    MANIFEST_MISSING = "manifest-missing"
    MANIFEST_CHANGED = "manifest-changed"
    MANIFEST_UNLISTED = "manifest-unlisted"
    # a bag
    BAG_DECLARATION = "bag-declaration"
    BAG_MANIFEST = "bag-manifest"
    BAG_MISSING = "bag-missing"
    BAG_CHANGED = "bag-changed"
    BAG_UNLISTED = "bag-unlisted"
    BAG_SIZE = "bag-size"


@dataclass(frozen=True, slots=True)
class Kind:
    """What is to be known about a kind of fault."""

    severity: Severity
    meaning: str  # a sentence
    remedy: str  # a sentence


_E, _W = Severity.ERROR, Severity.WARNING
_COPY = "Restore the file from a copy; else keep what is whole: opilio archive recover."
_RECOVER = "Keep what is whole: opilio archive recover."
_WRITER = "Report it to the makers of the program that wrote the file."
_REINDEX = "Make the index again: opilio archive index."
_MORE = "Give the files that hold it too, or name their folder with --against."
_BAG = "Get the bag again from whoever packed it."

KINDS: dict[Code, Kind] = {
    Code.FILE_EMPTY: Kind(_E, "The file holds no byte.", "Restore it from a copy, or remove it."),
    Code.FILE_UNREADABLE: Kind(_E, "The disk did not give the bytes.", "Check the disk, then try again."),
    Code.FILE_OPEN: Kind(_W, "Nobody finished the file.", "Resume or seal the crawl that writes it."),
    Code.NOT_AN_ARCHIVE: Kind(_E, "No record begins anywhere in the file.", "Name a WARC or ARC file."),
    Code.GARBAGE: Kind(_E, "Bytes that belong to no record.", _COPY),
    Code.PACKING_MIXED: Kind(_E, "Some records are packed and some are not.", _RECOVER),
    Code.WARCINFO_MISSING: Kind(_W, "The file does not begin with a warcinfo record.", "Nothing needs to be done."),
    Code.MEMBER_HEADER: Kind(_E, "The header of a gzip member cannot be read.", _COPY),
    Code.MEMBER_BROKEN: Kind(_E, "The packed data of a gzip member is damaged.", _COPY),
    Code.MEMBER_CHECKSUM: Kind(_E, "The bytes of a gzip member do not have its checksum.", _COPY),
    Code.MEMBER_SIZE: Kind(_E, "A gzip member holds another number of bytes than its trailer says.", _COPY),
    Code.MEMBER_TRUNCATED: Kind(_E, "The file ends inside a gzip member.", _COPY),
    Code.MEMBER_EMPTY: Kind(_W, "A gzip member holds nothing.", "Nothing needs to be done."),
    Code.ONE_MEMBER: Kind(
        _W, "The file was packed as a whole, so that no record can be read alone.", "Pack each record by itself."
    ),
    Code.SEVERAL_RECORDS: Kind(
        _W, "A gzip member holds several records, which cannot be read alone.", "Pack each record by itself."
    ),
    Code.RECORD_SPLIT: Kind(_E, "A record goes on in the next gzip member.", _RECOVER),
    Code.VERSION_UNKNOWN: Kind(_E, "The version of a record is none that is known.", _WRITER),
    Code.VERSION_OLD: Kind(_W, "The record is of a version before 1.0.", "Nothing needs to be done."),
    Code.HEADER_UNENDED: Kind(_E, "The header of a record has no end.", _COPY),
    Code.HEADER_LINE_END: Kind(_E, "A line of the header does not end with CR LF.", _WRITER),
    Code.HEADER_SYNTAX: Kind(_E, "A line of the header is no field.", _WRITER),
    Code.HEADER_ENCODING: Kind(_W, "The header is not UTF-8.", _WRITER),
    Code.LENGTH_INVALID: Kind(_E, "Content-Length is missing or no number.", _COPY),
    Code.LENGTH_WRONG: Kind(_E, "The block is longer or shorter than Content-Length says.", _COPY),
    Code.RECORD_END: Kind(_E, "The line ends behind the block are wrong.", _WRITER),
    Code.RECORD_TRUNCATED: Kind(_E, "The file ends inside a record.", _COPY),
    Code.FIELD_MISSING: Kind(_E, "A field is missing that records of this type must have.", _WRITER),
    Code.FIELD_REPEATED: Kind(_E, "A field is there twice that may be there once.", _WRITER),
    Code.FIELD_MISPLACED: Kind(_W, "A field that records of this type must not have.", _WRITER),
    Code.TYPE_UNKNOWN: Kind(_W, "The type of the record is none of the standard's.", "Readers skip such records."),
    Code.ID_INVALID: Kind(_E, "The id of a record is no URI in angle brackets.", _WRITER),
    Code.ID_REPEATED: Kind(_E, "Two records have the same id.", "Remove one if they are copies of each other."),
    Code.DATE_INVALID: Kind(_E, "A date is no date in UTC as the standard wants it.", _WRITER),
    Code.DATE_PRECISION: Kind(_W, "A date of WARC 1.0 that has other parts than seconds.", "Most readers take it."),
    Code.URI_INVALID: Kind(_E, "A URI has no scheme, or characters that no URI has.", _WRITER),
    Code.URI_BRACKETS: Kind(_W, "A URI in angle brackets, which WARC 1.1 does not want.", "Most readers take it."),
    Code.ADDRESS_INVALID: Kind(_E, "WARC-IP-Address is no address.", _WRITER),
    Code.DIGEST_UNREADABLE: Kind(_E, "A digest is neither hex nor base32 of the right length.", _WRITER),
    Code.DIGEST_UNKNOWN: Kind(_W, "A digest of an algorithm that cannot be checked.", "Check it with another program."),
    Code.PROFILE_UNKNOWN: Kind(_W, "A revisit of a profile that is not known.", "Readers may not find its body."),
    Code.CONTENT_TYPE_MISSING: Kind(_W, "A record with content says no Content-Type.", _WRITER),
    Code.TRUNCATED: Kind(_W, "The capture was cut off when it was made.", "Capture it again if it is needed whole."),
    Code.TRUNCATED_UNKNOWN: Kind(_W, "WARC-Truncated gives a reason that is not known.", _WRITER),
    Code.BLOCK_DIGEST: Kind(_E, "The block does not have the digest that was recorded.", _COPY),
    Code.PAYLOAD_DIGEST: Kind(_E, "The payload does not have the digest that was recorded.", _COPY),
    Code.PAYLOAD_DIGEST_RAW: Kind(
        _W, "The payload digest counts the transfer coding, against the standard.", "Nothing is damaged."
    ),
    Code.HTTP_HEAD: Kind(_W, "The block is no HTTP message.", "Look at it: opilio archive extract URL --raw."),
    Code.HTTP_LENGTH: Kind(
        _W, "The body is longer or shorter than the server said.", "Capture it again if it is needed whole."
    ),
    Code.HTTP_CHUNKS: Kind(
        _W, "The chunks of the body are broken or not there.", "Capture it again if it is needed whole."
    ),
    Code.REVISIT_UNRESOLVED: Kind(_E, "The original of a revisit is not there.", _MORE),
    Code.REVISIT_CHAIN: Kind(_W, "A revisit refers to another revisit.", "Readers may not find its body."),
    Code.REVISIT_DIGEST: Kind(_E, "A revisit and its original have different payload digests.", _COPY),
    Code.CONCURRENT_UNRESOLVED: Kind(_W, "The record that this one belongs to is not there.", _MORE),
    Code.WARCINFO_UNRESOLVED: Kind(_W, "The warcinfo record that is named is not there.", _MORE),
    Code.SEGMENT_INVALID: Kind(_E, "The number or the length of a segment is no number that it can be.", _WRITER),
    Code.SEGMENT_MISSING: Kind(_E, "A segment of a record is not there.", _MORE),
    Code.SEGMENT_TOTAL: Kind(_E, "The segments together have another length than the last one says.", _COPY),
    Code.ARC_HEADER: Kind(_E, "The line before an ARC record cannot be read.", _COPY),
    Code.ARC_DATE: Kind(_E, "The date of an ARC record is none.", _WRITER),
    Code.ARC_ADDRESS: Kind(_W, "The address of an ARC record is none.", _WRITER),
    Code.ARC_DESCRIPTION: Kind(_W, "The ARC file does not begin with its description.", "Nothing needs to be done."),
    Code.INDEX_LINE: Kind(_E, "A line of the index cannot be read.", _REINDEX),
    Code.INDEX_ORDER: Kind(_E, "A line of the index stands behind a greater one.", _REINDEX),
    Code.INDEX_FILE: Kind(
        _E, "Lines of the index name a file that is not there.", "Restore the file; it is told once for all its lines."
    ),
    Code.INDEX_OFFSET: Kind(_E, "No capture begins where the index says.", _REINDEX),
    Code.INDEX_LENGTH: Kind(_E, "The index gives another length than the record has.", _REINDEX),
    Code.INDEX_URL: Kind(_E, "The index gives another URL than the record has.", _REINDEX),
    Code.INDEX_TIME: Kind(_E, "The index gives another time than the record has.", _REINDEX),
    Code.INDEX_DIGEST: Kind(_E, "The index gives another digest than the record has.", _REINDEX),
    Code.INDEX_INCOMPLETE: Kind(_W, "Captures of a file have no line in the index.", _REINDEX),
    Code.INDEX_MISSING: Kind(_E, "A result has no index.", _REINDEX),
    Code.MANIFEST_UNREADABLE: Kind(_E, "The manifest cannot be read.", "Restore it from a copy."),
    Code.MANIFEST_MISSING: Kind(_E, "A file of the manifest is not there.", "Restore it from a copy."),
    Code.MANIFEST_CHANGED: Kind(_E, "A file is not the one that was sealed.", "Restore it from a copy."),
    Code.MANIFEST_UNLISTED: Kind(
        _W, "A WARC file that no manifest of the folder names.", "Find out who put it there since the crawl was sealed."
    ),
    Code.BAG_DECLARATION: Kind(_E, "The declaration of a bag cannot be read.", _BAG),
    Code.BAG_MANIFEST: Kind(_E, "A manifest of a bag is missing, or a line of it is none.", _BAG),
    Code.BAG_MISSING: Kind(_E, "A file that a manifest of a bag names is not there.", _BAG),
    Code.BAG_CHANGED: Kind(_E, "A file of a bag is not the one that was packed.", _BAG),
    Code.BAG_UNLISTED: Kind(_E, "A file of the payload that a manifest of the bag does not name.", _BAG),
    Code.BAG_SIZE: Kind(_E, "The payload of a bag has other bytes or files than it says.", _BAG),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """One thing that is wrong."""

    file: str
    offset: int  # byte of the file: where the record, its gzip member, the line or the garbage begins
    code: Code
    sentence: str
    within: int = 0  # byte of the unpacked data from there on, where the fault lies
    record: str = ""  # id of the record, where known

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return KINDS[self.code].severity

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return KINDS[self.code].remedy

    def document(self) -> dict[str, Any]:
        """For machines."""
        return {
            "file": self.file, "offset": self.offset, "within": self.within, "severity": self.severity.value,
            "code": self.code.value, "message": self.sentence, "remedy": self.remedy, "record": self.record,
        }  # fmt: skip


#: Takes faults as they are found.
Report = Callable[[Fault], None]
