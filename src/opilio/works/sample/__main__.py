"""`python -m opilio.works.sample [--port N]`: serve the sample site until interrupted."""

import argparse
import signal
import sys
from threading import Event

from opilio.kernel.errors import PortInUse
from opilio.works.sample.expected import PASSWORD, USERNAME
from opilio.works.sample.server import SampleSite


def main() -> int:
    """Serve until Ctrl-C; the first line printed is the address."""
    parser = argparse.ArgumentParser(prog="python -m opilio.works.sample", description="Serve the sample site.")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1; any free one if not given")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where whoever started it had it ignored
    try:
        with SampleSite(port=parser.parse_args().port) as site:
            print(f"{site.url}/", flush=True)
            print(f"Members sign in as {USERNAME} / {PASSWORD}. Ctrl-C ends.", flush=True)
            Event().wait()
    except KeyboardInterrupt:
        return 0
    except PortInUse as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
