"""`opilio index …`: build what is searched, publish it to nodes, and look into it. Each verb has its own module."""

from opilio.cli.command import noun_app
from opilio.cli.loading import verbs_of

_MODULES = {
    "build": "index_build",
    "publish": "index_publish",
    "rollback": "index_publish",
    "status": "index_status",
    "verify": "index_publish",
    "keep": "index_publish",
    "sources": "index_build",
    "forget": "index_build",
    "follow": "index_follow",
    "page": "index_ask",
    "word": "index_ask",
    "links": "index_ask",
    "dump": "index_dump",
}

app = noun_app(
    "Build, publish and look into what is searched.",
    verbs_of({verb: f"opilio.cli.{module}" for verb, module in _MODULES.items()}),
)
