"""How readings of kept files are filtered."""

from django.db.models import F, Q

STATES = {
    "damaged": ("With damage left", Q(damaged__gt=F("repaired"))),
    "repaired": ("Repaired", Q(damaged__gt=0, damaged=F("repaired"))),
    "sound": ("Sound", Q(damaged=0, failure="")),
    "failed": ("Not read", ~Q(failure="")),
}
