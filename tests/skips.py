"""A pytest plugin that writes every skipped test, with its reason, to the file that `tests.run` prints at the end."""

import os


def pytest_runtest_logreport(report):
    path = os.environ.get("OPILIO_TEST_SKIPS")
    if report.skipped and path and not hasattr(report, "wasxfail") and "PYTEST_XDIST_WORKER" not in os.environ:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        with open(path, "a") as file:  # noqa: PTH123 - one line, appended whole
            file.write(f"{report.nodeid}: {reason}\n")
