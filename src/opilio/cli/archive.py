"""`opilio archive …`: check, find, pack and import what was captured. Each verb has its own module."""

from opilio.cli.command import noun_app
from opilio.cli.loading import verbs_of

_MODULES = {
    "verify": "archive_verify",
    "list": "archive_list",
    "extract": "archive_extract",
    "recover": "archive_recover",
    "index": "archive_index",
    "pack": "archive_pack",
    "import": "archive_import",
    "needs": "archive_dedup",
    "dedup": "archive_dedup",
    "result": "archive_result",
    "compare": "archive_compare",
    "store": "archive_store",
    "screenshots": "archive_screenshots",
}

app = noun_app(
    "Check, find, pack and import captures.",
    verbs_of({verb: f"opilio.cli.{module}" for verb, module in _MODULES.items()}),
)
