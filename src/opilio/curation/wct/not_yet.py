"""Tables of seed D that have no place here so far, and where each will go; imports name their rows, and lose none:

the same dump can be imported again once their part is built, and only what is missing is added.
"""

from opilio.curation.wct.tables import NotYet

_REVIEW = "review: results, their files and resources, packages"

NOT_YET = (
    NotYet(
        name="HARVEST_RESULT", where=_REVIEW,
        columns=("HR_OID", "HR_HARVEST_NO", "HR_TARGET_INSTANCE_ID", "HR_PROVENANCE_NOTE", "HR_CREATED_DATE",
                 "HR_CREATED_BY_ID", "HR_STATE", "HR_INDEX", "HR_DERIVED_FROM"),
    ),
    NotYet(name="ARC_HARVEST_RESULT", where=_REVIEW, columns=("AHRS_HARVEST_RESULT_OID",)),
    NotYet(name="HR_MODIFICATION_NOTE", where=_REVIEW, columns=("HMN_HR_OID", "HMN_INDEX", "HMN_NOTE")),
    NotYet(
        name="ARC_HARVEST_FILE", where=_REVIEW,
        columns=("AHF_OID", "AHF_COMPRESSED", "AHF_NAME", "AHF_ARC_HARVEST_RESULT_ID"),
    ),
    NotYet(
        name="HARVEST_RESOURCE", where=_REVIEW,
        columns=("HRC_OID", "HRC_LENGTH", "HRC_NAME", "HRC_HARVEST_RESULT_OID", "HRC_STATUS_CODE"),
    ),
    NotYet(
        name="ARC_HARVEST_RESOURCE", where=_REVIEW,
        columns=("AHRC_HARVEST_RESOURCE_OID", "AHRC_RESOURCE_LENGTH", "AHRC_RESOURCE_OFFSET", "AHRC_ARC_FILE_NAME",
                 "AHRC_COMPRESSED_YN"),
    ),
    NotYet(name="SIP_PART_ELEMENT", where=_REVIEW, columns=("SPE_KEY", "SPE_TARGET_INSTANCE_OID", "SPE_VALUE")),
)  # fmt: skip
