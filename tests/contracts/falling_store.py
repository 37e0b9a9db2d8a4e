"""A store whose user falls in the middle of a change."""


class Falls(Exception):
    """Stands for kill -9."""


class Falling:
    """A store whose user falls at its n-th change, before it or right after it."""

    def __init__(self, store, at, *, after):
        self._store = store
        self._left = at
        self._after = after

    def __getattr__(self, name):
        found = getattr(self._store, name)
        return self._counted(found) if name in ("put", "replace", "delete") else found

    def _counted(self, deed):
        def run(*given, **named):
            self._left -= 1
            if self._left == 0 and not self._after:
                raise Falls
            found = deed(*given, **named)
            if self._left == 0:
                raise Falls
            return found

        return run
