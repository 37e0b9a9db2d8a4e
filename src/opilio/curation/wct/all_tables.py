"""All tables in the order in which they are taken over: what others refer to comes first."""

from opilio.curation.wct import harvest_tables as harvests
from opilio.curation.wct import people_tables as people
from opilio.curation.wct import profile_tables as profiles
from opilio.curation.wct import result_tables as results
from opilio.curation.wct import rights_tables as rights
from opilio.curation.wct import target_tables as targets
from opilio.curation.wct.tables import Table

TABLES: tuple[Table, ...] = (
    people.AGENCY,
    people.USER,
    people.ROLE,
    people.ROLE_PRIVILEGE,
    people.USER_ROLE,
    profiles.PROFILE,
    rights.SITE,
    rights.AUTHORISING_AGENT,
    rights.SITE_AUTH_AGENCY,
    rights.URL_PATTERN,
    rights.PERMISSION,
    rights.PERMISSION_URLPATTERN,
    rights.PERMISSION_EXCLUSION,
    rights.URL_PERMISSION_MAPPING,
    rights.PERMISSION_TEMPLATE,
    profiles.PROFILE_OVERRIDES,
    profiles.PO_EXCLUSION_URI,
    profiles.PO_INCLUSION_URI,
    profiles.PROFILE_CREDENTIALS,
    profiles.PROFILE_BASIC_CREDENTIALS,
    profiles.PROFILE_FORM_CREDENTIALS,
    targets.DUBLIN_CORE,
    targets.ABSTRACT_TARGET,
    targets.TARGET,
    targets.TARGET_GROUP,
    targets.SEED,
    rights.SEED_PERMISSION,
    targets.GROUP_MEMBER,
    targets.SCHEDULE,
    targets.TARGET_INSTANCE,
    harvests.HARVEST_STATUS,
    results.HARVEST_RESULT,
    results.ARC_HARVEST_RESULT,
    results.HR_MODIFICATION_NOTE,
    results.ARC_HARVEST_FILE,
    results.HARVEST_RESOURCE,
    results.ARC_HARVEST_RESOURCE,
    harvests.BANDWIDTH_RESTRICTIONS,
    people.TASK,
    people.ANNOTATIONS,
    people.NOTIFICATION,
    people.AUDIT,
    people.LOGON,
)


def columns_of(table: Table) -> tuple[str, ...]:
    """The names of a table's columns, its number first."""
    names = tuple(column.name for column in table.columns)
    return names if not table.key or table.key in names else (table.key, *names)
