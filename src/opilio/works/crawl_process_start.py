"""`python -m opilio.works.crawl_process_start FD`: starts a worker process without what only terminals need.

structlog loads rich wherever it finds it, to print errors in colour, which is a fifth of a worker's start; a worker
has no terminal.
"""

import sys
from importlib import import_module

if __name__ == "__main__":
    sys.modules["rich"] = None  # type: ignore[assignment]  # so that it is not found
    sys.exit(import_module("opilio.works.crawl_process").main(int(sys.argv[1])))
