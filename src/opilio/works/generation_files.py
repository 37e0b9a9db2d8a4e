"""What the files of a generation are called."""

from typing import Final

INDEX: Final = "index"  # folder of the full-text index
VIEWS: Final = "views.db"
DOCUMENTS: Final = "documents.db"
ANALYSIS: Final = "analysis.json"
#: Steps of link rank that the index tells apart.
BANDS: Final = 20
