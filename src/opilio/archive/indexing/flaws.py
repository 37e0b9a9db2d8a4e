"""What an index cannot find: the places of a file that hold no capture which could be read again."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Flaw:
    """Something in a file that the index leaves out."""

    file: str
    offset: int
    what: str

    def __str__(self) -> str:
        return f"{self.file} at {self.offset}: {self.what}"
