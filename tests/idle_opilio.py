"""`opilio` on a machine that seems idle: on a busy one, as that of the tests often is, an agent takes no harvest.

`python -m tests.idle_opilio agent` is what `opilio agent` is elsewhere.
"""

import os
import runpy

if __name__ == "__main__":
    os.getloadavg = lambda: (0.0, 0.0, 0.0)
    runpy.run_module("opilio", run_name="__main__")
