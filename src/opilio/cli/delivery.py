"""`opilio delivery`: partners' deliveries, from the check before they are sent to where each of them stands."""

from opilio.cli.command import noun_app
from opilio.cli.loading import verbs_of

_FILES = dict.fromkeys(("check", "pull", "profiles", "host-key"), "opilio.cli.delivery_files")
_RUN = dict.fromkeys(("run", "start"), "opilio.cli.delivery_run")
_SESSIONS = dict.fromkeys(
    ("status", "show", "retry", "revalidate", "requeue", "cancel", "undo", "hold"), "opilio.cli.delivery_session"
)
_FINDINGS = dict.fromkeys(("findings", "kinds", "describe-kind", "delete-kind"), "opilio.cli.delivery_findings")
_REPORTS = dict.fromkeys(("report", "issues"), "opilio.cli.delivery_report")
_CARE = dict.fromkeys(("retention", "export", "import"), "opilio.cli.delivery_care")

app = noun_app(
    "Check, pull and follow partners' deliveries.",
    verbs_of(_FILES, {**_RUN, **_SESSIONS, **_FINDINGS, **_REPORTS, **_CARE}),
)
