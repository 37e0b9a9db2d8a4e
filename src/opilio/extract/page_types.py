"""The page types with their ids, and the file extensions and MIME types that belong to each.

The ids are stored in crawl stores and sealed results: they never change, new types get new numbers.
"""

from enum import IntEnum
from typing import Final


class PageType(IntEnum):
    """What kind of thing a resource is (seed A's crawl_page_type)."""

    HTML = 1
    TEXT = 2
    PDF = 3
    FEED = 4
    SITEMAP = 5
    XML = 6
    JSON = 7
    OFFICE = 8
    IMAGE = 9
    AUDIO = 10
    VIDEO = 11
    STYLE = 12
    SCRIPT = 13
    ARCHIVE = 14
    OTHER = 15

    @property
    def word(self) -> str:
        """The name that screens, reports and the API show."""
        return self.name.lower()


_OOXML = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."

#: Extension → page type and its MIME types, the usual one first.
EXTENSIONS: Final[dict[str, tuple[PageType, tuple[str, ...]]]] = {
    "html": (PageType.HTML, ("text/html", "application/vnd.wap.xhtml+xml")),
    "xhtml": (PageType.HTML, ("application/xhtml+xml",)),
    "txt": (PageType.TEXT, ("text/plain",)),
    "csv": (PageType.TEXT, ("text/csv",)),
    "tsv": (PageType.TEXT, ("text/tab-separated-values",)),
    "md": (PageType.TEXT, ("text/markdown", "text/x-markdown")),
    "ics": (PageType.TEXT, ("text/calendar",)),
    "vcf": (PageType.TEXT, ("text/vcard", "text/x-vcard")),
    "vtt": (PageType.TEXT, ("text/vtt",)),
    "pdf": (PageType.PDF, ("application/pdf", "application/x-pdf")),
    "rss": (PageType.FEED, ("application/rss+xml", "application/rdf+xml")),
    "atom": (PageType.FEED, ("application/atom+xml",)),
    "xml": (PageType.XML, ("application/xml", "text/xml")),
    "json": (PageType.JSON, ("application/json", "text/json", "application/ld+json")),
    "webmanifest": (PageType.JSON, ("application/manifest+json",)),
    "docx": (PageType.OFFICE, (_OOXML + "wordprocessingml.document",)),
    "xlsx": (PageType.OFFICE, (_OOXML + "spreadsheetml.sheet",)),
    "pptx": (PageType.OFFICE, (_OOXML + "presentationml.presentation",)),
    "odt": (PageType.OFFICE, (_ODF + "text",)),
    "ods": (PageType.OFFICE, (_ODF + "spreadsheet",)),
    "odp": (PageType.OFFICE, (_ODF + "presentation",)),
    "doc": (PageType.OFFICE, ("application/msword",)),
    "xls": (PageType.OFFICE, ("application/vnd.ms-excel",)),
    "ppt": (PageType.OFFICE, ("application/vnd.ms-powerpoint",)),
    "rtf": (PageType.OFFICE, ("application/rtf", "text/rtf")),
    "png": (PageType.IMAGE, ("image/png",)),
    "jpg": (PageType.IMAGE, ("image/jpeg", "image/jpg", "image/pjpeg")),
    "gif": (PageType.IMAGE, ("image/gif",)),
    "webp": (PageType.IMAGE, ("image/webp",)),
    "avif": (PageType.IMAGE, ("image/avif",)),
    "heic": (PageType.IMAGE, ("image/heic",)),
    "jxl": (PageType.IMAGE, ("image/jxl",)),
    "svg": (PageType.IMAGE, ("image/svg+xml",)),
    "ico": (PageType.IMAGE, ("image/x-icon", "image/vnd.microsoft.icon")),
    "bmp": (PageType.IMAGE, ("image/bmp", "image/x-ms-bmp")),
    "tiff": (PageType.IMAGE, ("image/tiff",)),
    "mp3": (PageType.AUDIO, ("audio/mpeg", "audio/mp3")),
    "ogg": (PageType.AUDIO, ("audio/ogg", "application/ogg")),
    "wav": (PageType.AUDIO, ("audio/wav", "audio/x-wav", "audio/wave")),
    "flac": (PageType.AUDIO, ("audio/flac",)),
    "m4a": (PageType.AUDIO, ("audio/mp4", "audio/x-m4a")),
    "aac": (PageType.AUDIO, ("audio/aac",)),
    "mid": (PageType.AUDIO, ("audio/midi",)),
    "mp4": (PageType.VIDEO, ("video/mp4",)),
    "webm": (PageType.VIDEO, ("video/webm",)),
    "ogv": (PageType.VIDEO, ("video/ogg",)),
    "mov": (PageType.VIDEO, ("video/quicktime",)),
    "avi": (PageType.VIDEO, ("video/x-msvideo",)),
    "mpg": (PageType.VIDEO, ("video/mpeg",)),
    "mkv": (PageType.VIDEO, ("video/x-matroska",)),
    "m3u8": (PageType.VIDEO, ("application/vnd.apple.mpegurl", "application/x-mpegurl")),
    "css": (PageType.STYLE, ("text/css",)),
    "js": (PageType.SCRIPT, ("text/javascript", "application/javascript", "application/x-javascript")),
    "wasm": (PageType.SCRIPT, ("application/wasm",)),
    "zip": (PageType.ARCHIVE, ("application/zip", "application/x-zip-compressed")),
    "gz": (PageType.ARCHIVE, ("application/gzip", "application/x-gzip")),
    "tar": (PageType.ARCHIVE, ("application/x-tar",)),
    "bz2": (PageType.ARCHIVE, ("application/x-bzip2",)),
    "xz": (PageType.ARCHIVE, ("application/x-xz",)),
    "7z": (PageType.ARCHIVE, ("application/x-7z-compressed",)),
    "rar": (PageType.ARCHIVE, ("application/vnd.rar", "application/x-rar-compressed")),
    "zst": (PageType.ARCHIVE, ("application/zstd",)),
    "warc": (PageType.ARCHIVE, ("application/warc",)),
    "epub": (PageType.ARCHIVE, ("application/epub+zip",)),
    "jar": (PageType.ARCHIVE, ("application/java-archive",)),
    "woff": (PageType.OTHER, ("font/woff", "application/font-woff")),
    "woff2": (PageType.OTHER, ("font/woff2",)),
    "ttf": (PageType.OTHER, ("font/ttf",)),
    "otf": (PageType.OTHER, ("font/otf",)),
    "eps": (PageType.OTHER, ("application/postscript",)),
    "bin": (PageType.OTHER, ()),
}

#: Extensions of URL paths that mean one of the above.
ALIASES: Final = {
    "htm": "html", "shtml": "html", "xht": "xhtml", "text": "txt", "log": "txt", "markdown": "md", "jpeg": "jpg",
    "tif": "tiff", "mjs": "js", "tgz": "gz", "mpeg": "mpg", "oga": "ogg", "jsonld": "json", "rdf": "rss", "ps": "eps",
    "svgz": "svg", "m4v": "mp4",
}  # fmt: skip

#: MIME type → extension.
MIME_TYPES: Final = {mime: extension for extension, (_, mimes) in EXTENSIONS.items() for mime in mimes}

#: What a MIME type says by its first half, where the whole is not in the table.
FAMILIES: Final = {
    "text": PageType.TEXT,
    "image": PageType.IMAGE,
    "audio": PageType.AUDIO,
    "video": PageType.VIDEO,
    "font": PageType.OTHER,
}
