"""The table of reserved identifier blocks (the seed's ID_GENERATOR)."""

from django.db import models


class IdBlock(models.Model):
    """For a kind of row, the next block of identifiers that nobody has reserved yet."""

    kind = models.CharField(max_length=64, primary_key=True)
    value = models.BigIntegerField(default=1)  # block n holds n * 32,768 … n * 32,768 + 32,767; 0 is never given

    class Meta:
        db_table = "id_block"

    def __str__(self) -> str:
        return f"{self.kind}: block {self.value}"
