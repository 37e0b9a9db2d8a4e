"""Makes dumps of the Web Curator Tool with a value in every column of all 46 tables, as databases write them.

Tables and columns come from tests/data/seed_items.csv, so that none can be forgotten: a column that is not named
below gets a text of its own.
"""

import csv
import io
import zipfile
from pathlib import Path

ITEMS = Path(__file__).parent / "data/seed_items.csv"
BLOCK = 5 * 32_768
TWICE = {"S_ABSTRACT_TARGET_ID_2"}  # the seed lists the column a second time; a database has it once
PHYSICAL = {
    "PO_MAX_BYTES": "PO_MAX_BYES", "PC_PROFILE_OVERRIDE_OID": "PC_PROFILE_OVERIDE_OID",
    "USR_NOTIFY_ON_GENERAL": "USR_NOTIFIY_ON_GENERAL",
}  # fmt: skip
_CORE, _AUTH = "org.webcurator.domain.model.core", "org.webcurator.domain.model.auth"
_LONG = ("NOTE", "NOTES", "DESC", "MESSAGE", "TEXT", "DESCRIPTION", "STATEMENT", "METADATA", "STRING")
_STATES = ("Archived", "Harvested", "Rejected")
_ORDERS = {"Archived": "90", "Harvested": "50", "Rejected": "80"}


def schema():
    """Columns by table, in the order of the seed."""
    with ITEMS.open(encoding="utf-8", newline="") as stream:
        items = [row for row in csv.DictReader(stream) if row["seed"] == "D" and row["kind"] == "column"]
    tables = {}
    for _, table, column in (row["item"].split(".") for row in items):
        if column not in TWICE:
            tables.setdefault(table, []).append(column)
    return tables


SCHEMA = schema()
_NUMBERS = {name: BLOCK + 100 * position for position, name in enumerate(SCHEMA)}
_NUMBERS |= dict.fromkeys(("TARGET", "TARGET_GROUP"), _NUMBERS["ABSTRACT_TARGET"])
_NUMBERS |= {"HARVEST_STATUS": _NUMBERS["TARGET_INSTANCE"]}  # a row is about the harvest of its number
_NUMBERS |= dict.fromkeys(("PROFILE_BASIC_CREDENTIALS", "PROFILE_FORM_CREDENTIALS"), _NUMBERS["PROFILE_CREDENTIALS"])


def number(table, index):
    """The number of a row."""
    return str(_NUMBERS[table] + index)


def _flag(default):
    """The other value in the first row, both in turn afterwards."""
    return lambda index: str(int(default != (index % 2 == 1)))


def _ref(table, rows=3, first=1):
    return lambda index: number(table, first + (index - 1) % rows)


def _moment(day):
    return lambda index: f"2008-07-{day:02} 10:11:{index:02}"


def _day(day):
    return lambda index: f"2008-{index:02}-{day:02} 00:00:00"


def _one_of(*values):
    return lambda index: values[(index - 1) % len(values)]


_KEYS = {
    "ABSTRACT_TARGET": "AT_OID", "TARGET": "T_AT_OID", "SEED": "S_OID", "TARGET_GROUP": "TG_AT_OID",
    "GROUP_MEMBER": "AT_OID", "SCHEDULE": "S_OID", "TARGET_INSTANCE": "TI_OID", "SITE": "ST_OID",
    "URL_PATTERN": "UP_OID", "AUTHORISING_AGENT": "AA_OID", "PERMISSION": "PE_OID", "PERMISSION_EXCLUSION": "PEX_OID",
    "URL_PERMISSION_MAPPING": "UPM_OID", "PROFILE": "P_OID", "PROFILE_OVERRIDES": "PO_OID",
    "PROFILE_CREDENTIALS": "PC_OID", "PROFILE_BASIC_CREDENTIALS": "PBC_PC_OID",
    "PROFILE_FORM_CREDENTIALS": "PRC_PC_OID", "WCTAUDIT": "AUD_OID", "WCT_LOGON_DURATION": "LOGDUR_OID",
    "AGENCY": "AGC_OID", "WCTROLE": "ROL_OID", "ROLE_PRIVILEGE": "PRV_OID", "WCTUSER": "USR_OID",
    "PERMISSION_TEMPLATE": "PRT_OID", "TASK": "TSK_OID", "ANNOTATIONS": "AN_OID", "BANDWIDTH_RESTRICTIONS": "BR_OID",
    "DUBLIN_CORE": "DC_OID", "HARVEST_STATUS": "HS_OID", "NOTIFICATION": "NOT_OID", "HARVEST_RESULT": "HR_OID",
    "ARC_HARVEST_FILE": "AHF_OID", "HARVEST_RESOURCE": "HRC_OID",
}  # fmt: skip
#: Rows that a table has, by their index; three unless told otherwise. Rows 4 to 6 of ABSTRACT_TARGET are groups.
_ROWS = {
    "ABSTRACT_TARGET": range(1, 7), "TARGET_GROUP": range(4, 7), "PROFILE_OVERRIDES": range(1, 10),
    "DUBLIN_CORE": range(1, 7), "ID_GENERATOR": range(1, 3), "PROFILE_CREDENTIALS": range(1, 5),
    "PROFILE_BASIC_CREDENTIALS": range(1, 3), "PROFILE_FORM_CREDENTIALS": range(3, 5), "GROUP_MEMBER": range(1, 4),
    "URL_PERMISSION_MAPPING": range(2, 4),
}  # fmt: skip
#: Column → value by index of the row.
_VALUES = {
    "AT_OWNER_ID": _ref("WCTUSER"), "AT_PROF_OVERRIDE_OID": _ref("PROFILE_OVERRIDES", 6),
    "AT_STATE": lambda index: str((5, 6, 7, 9, 10, 8)[index - 1]), "AT_PROFILE_ID": _ref("PROFILE"),
    "AT_OBJECT_TYPE": lambda index: "1" if index < 4 else "0", "AT_CREATION_DATE": _moment(1),
    "AT_DUBLIN_CORE_OID": _ref("DUBLIN_CORE", 6), "AT_ACCESS_ZONE": _one_of("1", "2", "0"),
    "AT_DISPLAY_TARGET": _flag(True), "T_RUN_ON_APPROVAL": _flag(False), "T_SELECTION_DATE": _moment(2),
    "S_SEED": lambda index: f"http://www{index}.site.example/a?q={index}", "S_TARGET_ID": _ref("TARGET"),
    "S_PRIMARY": _flag(True), "TG_SIP_TYPE": _one_of("1", "2", "1"), "TG_START_DATE": _day(3), "TG_END_DATE": _day(4),
    "GM_CHILD_ID": _ref("ABSTRACT_TARGET"), "GM_PARENT_ID": _ref("TARGET_GROUP", 3, 4),
    "S_CRON": _one_of("0 0 21 ? * MON *", "0 30 6 1 * ?", "15 10 * * 2"), "S_START": _moment(5), "S_END": _moment(6),
    "S_ABSTRACT_TARGET_ID": _ref("ABSTRACT_TARGET", 6), "S_TYPE": _one_of("1", "-3", "7"),
    "S_OWNER_OID": _ref("WCTUSER"), "S_NEXT_SCHEDULE_TIME": _moment(7),
    "TI_VERSION": _one_of("4", "5", "6"), "TI_SCHEDULE_ID": _ref("SCHEDULE"),
    "TI_TARGET_ID": _ref("ABSTRACT_TARGET", 6), "TI_PRIORITY": _one_of("0", "1000", "100"),
    "TI_SCHEDULED_TIME": _moment(8), "TI_STATE": _one_of(*_STATES), "TI_BANDWIDTH_PERCENT": _one_of("10", "20", "30"),
    "TI_ALLOCATED_BANDWIDTH": _one_of("100", "200", "5000000000"), "TI_START_TIME": _moment(9),
    "TI_OWNER_ID": _ref("WCTUSER"), "TI_DISPLAY_ORDER": lambda index: _ORDERS[_one_of(*_STATES)(index)],
    "TI_PROF_OVERRIDE_OID": _ref("PROFILE_OVERRIDES", 3, 7), "TI_PURGED": _flag(False),
    "TI_ARCHIVE_ID": lambda index: f"IE{index}", "TI_REFERENCE": lambda index: f"IE{index}",
    "TI_DISPLAY_TARGET_INSTANCE": _flag(True), "TI_FLAGGED": _flag(False), "TI_PROFILE_ID": _ref("PROFILE"),
    "ST_PUBLISHED": _flag(False), "ST_ACTIVE": lambda index: "0" if index == 1 else "1",
    "ST_OWNING_AGENCY_ID": _ref("AGENCY"),
    "UP_PATTERN": lambda index: f"http://*.site{index}.example/a*", "UP_SITE_ID": _ref("SITE"),
    "SA_SITE_ID": _ref("SITE"), "SA_AGENT_ID": _ref("AUTHORISING_AGENT"),
    "PE_APPROVED_YN": _flag(False), "PE_AVAILABLE_YN": _flag(False), "PE_CREATION_DATE": _moment(10),
    "PE_END_DATE": _day(12), "PE_OPEN_ACCESS_DATE": _day(13), "PE_PERMISSION_GRANTED_DATE": _moment(14),
    "PE_PERMISSION_REQUESTED_DATE": _moment(15), "PE_START_DATE": _day(11), "PE_STATUS": _one_of("2", "3", "1"),
    "PE_AUTH_AGENT_ID": _ref("AUTHORISING_AGENT"), "PE_SITE_ID": _ref("SITE"), "PE_QUICK_PICK": _flag(False),
    "PE_OWNING_AGENCY_ID": _ref("AGENCY"), "PU_URLPATTERN_ID": _ref("URL_PATTERN"),
    "PU_PERMISSION_ID": _ref("PERMISSION"), "PEX_PERMISSION_OID": _ref("PERMISSION"),
    "PEX_INDEX": _one_of("1", "2", "3"), "SP_SEED_ID": _ref("SEED"), "SP_PERMISSION_ID": _ref("PERMISSION"),
    "UPM_PERMISSION_ID": _ref("PERMISSION"), "UPM_URL_PATTERN_ID": _ref("URL_PATTERN"),
    "UPM_DOMAIN": lambda index: f"site{index}.example",
    "P_VERSION": _one_of("7", "8", "9"), "P_PROFILE_LEVEL": _one_of("3", "2", "1"), "P_STATUS": _one_of("0", "1", "2"),
    "P_DEFAULT": lambda index: "1" if index == 2 else "0", "P_AGENCY_OID": _ref("AGENCY"),
    "P_ORIG_OID": lambda index: number("PROFILE", 1) if index == 3 else None,
    "P_PROFILE_STRING": lambda index: f'<?xml version="1.0"?>\n<order name="{index}">it\'s &amp; <b/></order>',
    "PO_EXCL_MIME_TYPES": lambda index: f"video/*\nimage/x{index}", "PO_MAX_BYTES": lambda index: str(10**10 + index),
    "PO_MAX_DOCS": lambda index: str(1000 + index), "PO_MAX_HOPS": lambda index: str(20 + index),
    "PO_MAX_PATH_DEPTH": lambda index: str(30 + index), "PO_MAX_TIME_SEC": lambda index: str(4000 + index),
    "PO_ROBOTS_POLICY": _one_of("ignore", "classic"),
    **{f"PO_OR_{name}": _flag(False) for name in (
        "CREDENTIALS", "EXCL_MIME_TYPES", "EXCLUSION_URI", "INCLUSION_URI", "MAX_BYTES", "MAX_DOCS", "MAX_HOPS",
        "MAX_PATH_DEPTH", "MAX_TIME_SEC", "ROBOTS_POLICY")},
    "PEU_IX": _one_of("1", "2", "3"), "PEU_PROF_OVER_OID": _ref("PROFILE_OVERRIDES"),
    "PEU_FILTER": lambda index: rf".*\.example/c{index}/\d+\?.*",
    "PC_PROFILE_OVERRIDE_OID": _ref("PROFILE_OVERRIDES"), "PC_INDEX": _one_of("1", "2", "3", "4"),
    "PC_DOMAIN": lambda index: f"login{index}.example", "PFC_METHOD": _one_of("POST", "GET"),
    "PFC_LOGIN_URI": lambda index: f"http://login{index}.example/form",
    "AUD_DATE": _moment(16), "AUD_SUBJECT_TYPE": lambda index: f"{_CORE}.Permission",
    "AUD_USER_OID": _ref("WCTUSER"), "AUD_SUBJECT_OID": _ref("PERMISSION"), "AUD_AGENCY_OID": _ref("AGENCY"),
    "AUD_ACTION": _one_of("NEW_PERMISSION", "APPROVE_PERMISSION", "UPDATE_PERMISSION"),
    "LOGDUR_DURATION": lambda index: str(600 + index), "LOGDUR_LOGON_TIME": _moment(17),
    "LOGDUR_LOGOUT_TIME": _moment(18), "LOGDUR_USER_OID": _ref("WCTUSER"),
    "LOGDUR_SESSION_ID": lambda index: f"{index:032X}",
    "ROL_AGENCY_OID": _ref("AGENCY"), "PRV_CODE": _one_of("APPROVE_TARGET", "LOGIN", "MANAGE_USERS"),
    "PRV_ROLE_OID": _ref("WCTROLE"), "PRV_SCOPE": _one_of("200", "500", "0"),
    "USR_ACTIVE": _flag(True), "USR_EXTERNAL_AUTH": lambda index: "1" if index == 3 else "0",
    "USR_EMAIL": lambda index: f"user{index}@agency.example",
    "USR_FORCE_PWD_CHANGE": lambda index: "0" if index == 3 else "1",
    "USR_USERNAME": lambda index: f"Curator{index}", "USR_AGC_OID": _ref("AGENCY"), "USR_DEACTIVATE_DATE": _moment(19),
    "USR_NOTIFICATIONS_BY_EMAIL": _flag(False), "USR_TASKS_BY_EMAIL": _flag(False),
    "USR_NOTIFY_ON_GENERAL": _flag(True), "USR_NOTIFY_ON_WARNINGS": _flag(False),
    "URO_USR_OID": _ref("WCTUSER"), "URO_ROL_OID": _ref("WCTROLE"),
    "PRT_AGC_OID": _ref("AGENCY"), "PRT_TEMPLATE_TYPE": _one_of("Print Template", "Email Template"),
    "TSK_USR_OID": _ref("WCTUSER"), "TSK_SENT_DATE": _moment(20), "TSK_AGC_OID": _ref("AGENCY"),
    "TSK_PRIVILEGE": lambda index: "APPROVE_TARGET",
    "TSK_MSG_TYPE": _one_of("approveTarget", "requestApproval", "other"),
    "TSK_RESOURCE_OID": _ref("ABSTRACT_TARGET"), "TSK_RESOURCE_TYPE": lambda index: f"{_CORE}.Target",
    "AN_DATE": _moment(21), "AN_USER_OID": _ref("WCTUSER"), "AN_OBJ_OID": _ref("SITE"),
    "AN_OBJ_TYPE": lambda index: f"{_CORE}.Site", "NOT_USR_OID": _ref("WCTUSER"), "NOT_SENT_DATE": _moment(22),
    "BR_BANDWIDTH": _one_of("100", "2000", "30"), "BR_DAY": _one_of("TUESDAY", "SUNDAY", "TUESDAY"),
    "BR_START_TIME": _one_of("1970-01-01 18:00:00", "1970-01-01 00:00:00", "1970-01-01 08:30:00"),
    "BR_END_TIME": _one_of("1970-01-01 23:59:59", "1970-01-01 12:00:00", "1970-01-01 18:00:00"),
    "HS_AVG_KB": _one_of("12.5", "0.25", "3"), "HS_AVG_URI": _one_of("1.5", "7", "0.125"),
    "HS_DATA_AMOUNT": lambda index: str(10**12 + index), "HS_ELAPSED_TIME": lambda index: f"{60 + index}000",
    "HS_URLS_DOWN": lambda index: str(70 + index), "HS_URLS_FAILED": lambda index: str(80 + index),
    "HS_ALERTS": lambda index: str(90 + index), "TIOS_TI_OID": _ref("TARGET_INSTANCE", 2),
    "TIOS_SEED": lambda index: f"http://www{index}.site.example/é'\"<b>",
    "HR_HARVEST_NO": _one_of("1", "2", "3"), "HR_TARGET_INSTANCE_ID": _ref("TARGET_INSTANCE"),
    "HR_CREATED_DATE": _moment(23), "HR_CREATED_BY_ID": _ref("WCTUSER"), "HR_STATE": _one_of("1", "2", "4"),
    "HR_INDEX": _one_of("1", "2", "3"), "HR_DERIVED_FROM": _one_of(None, "1", "2"),
    "AHRS_HARVEST_RESULT_OID": _ref("HARVEST_RESULT"), "HMN_HR_OID": _ref("HARVEST_RESULT"),
    "HMN_INDEX": _one_of("0", "1", "2"), "AHF_COMPRESSED": _flag(True),
    "AHF_NAME": lambda index: f"IAH-2008070{index}-agent.arc.gz", "AHF_ARC_HARVEST_RESULT_ID": _ref("HARVEST_RESULT"),
    "HRC_LENGTH": lambda index: str(4_000 + index), "HRC_HARVEST_RESULT_OID": _ref("HARVEST_RESULT"),
    "HRC_NAME": lambda index: f"http://www{index}.site.example/a?q='\\é",
    "HRC_STATUS_CODE": _one_of("200", "404", "-1"),
    "AHRC_HARVEST_RESOURCE_OID": _ref("HARVEST_RESOURCE"), "AHRC_RESOURCE_LENGTH": lambda index: str(300 + index),
    "AHRC_RESOURCE_OFFSET": lambda index: str(10**11 + index), "AHRC_COMPRESSED_YN": _flag(True),
    "SPE_TARGET_INSTANCE_OID": _ref("TARGET_INSTANCE", 2),
    "IG_TYPE": _one_of("General", "Annotation"), "IG_VALUE": _one_of("6", "7"),
    "AGC_EMAIL": lambda index: f"agency{index}@agency.example", "AA_EMAIL": lambda index: f"agent{index}@site.example",
}  # fmt: skip


def _text(column, index):
    """Awkward for every format, and short enough for every column."""
    long = "\n\tüber 'das' \\n zeile\\" if column.endswith(_LONG) else ""
    return f"{column.lower()} {index} é'\"\\,;<b>{long}"


def _value(table, column, index):
    if column == _KEYS.get(table):
        return number(table, index)
    return _VALUES[column](index) if column in _VALUES else _text(column, index)


def rows(table):
    """The rows of a table, each with a value in every column."""
    return [
        {column: _value(table, column, index) for column in SCHEMA[table]} for index in _ROWS.get(table, range(1, 4))
    ]


def tables():
    """All rows by table."""
    return {table: rows(table) for table in SCHEMA}


def key_of(table, row):
    """What makes a row of a table the same in another dump."""
    if table in _KEYS:
        return row[_KEYS[table]]
    if table.startswith("PO_"):
        return row["PEU_PROF_OVER_OID"], row["PEU_IX"]
    return row["IG_TYPE"].strip() if table == "ID_GENERATOR" else tuple(row.values())


# Formats


def as_csv(found, delimiter=","):
    """File contents by table."""
    written = {}
    for table, some in found.items():
        stream = io.StringIO(newline="")
        writer = csv.writer(stream, delimiter=delimiter)
        writer.writerow(some[0])
        writer.writerows([r"\N" if value is None else value for value in row.values()] for row in some)
        written[f"{table}.csv"] = stream.getvalue()
    return written


def write_folder(folder, files):
    """Write files into a folder."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


def write_zip(path, files):
    """Write files into an archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"export/{name}", text)
    return path


def as_mysql(found):
    """As mysqldump writes: no column names, many rows in one statement, backslash escapes, other spellings."""
    parts = ["-- MySQL dump 10.13  Distrib 5.0\n/*!40101 SET NAMES utf8 */;\n"]
    for table, some in found.items():
        names = ",\n  ".join(f"`{PHYSICAL.get(name, name)}` varchar(255) default NULL" for name in some[0])
        parts.append(f"DROP TABLE IF EXISTS `{table}`;\n")
        parts.append(f"CREATE TABLE `{table}` (\n  {names},\n  PRIMARY KEY (`x`)\n);\n")
        values = ",".join("(" + ",".join(map(_mysql, row.values())) + ")" for row in some)
        parts.append(f"LOCK TABLES `{table}` WRITE;\nINSERT INTO `{table}` VALUES {values};\nUNLOCK TABLES;\n")
    return "".join(parts)


def _mysql(value):
    if value is None:
        return "NULL"
    for char, escaped in (("\\", "\\\\"), ("'", "\\'"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        value = value.replace(char, escaped)
    return f"'{value}'" if not value.isdigit() else value


def as_postgres(found):
    """As pg_dump writes: COPY blocks, lower case, t and f are left to the caller."""
    parts = ["--\n-- PostgreSQL database dump\n--\n\\restrict it's\nSET standard_conforming_strings = on;\n"]
    for table, some in found.items():
        parts.append(f"COPY db_wct.{table.lower()} ({', '.join(name.lower() for name in some[0])}) FROM stdin;\n")
        parts += ["\t".join(map(_copied, row.values())) + "\n" for row in some]
        parts.append("\\.\n\n")
    return "".join(parts)


def _copied(value):
    if value is None:
        return "\\N"
    for char, escaped in (("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t")):
        value = value.replace(char, escaped)
    return value


def as_oracle(found):
    """As SQL Developer writes: a statement for each row, dates with masks, CLOBs in parts."""
    parts = []
    for table, some in found.items():
        parts.append(f"REM INSERTING into {table}'s rows\nSET DEFINE OFF;\n")
        for row in some:
            values = ",".join(_oracle(name, value) for name, value in row.items())
            parts.append(f'Insert into DB_WCT."{table}" ({",".join(row)}) values ({values});\n')
    return "".join([*parts, "/\ncommit;\n"])


def _oracle(name, value):
    if value is None:
        return "null"
    quoted = "'" + value.replace("'", "''") + "'"
    if name in _VALUES and value[:5] == "2008-":
        return f"to_timestamp({quoted},'YYYY-MM-DD HH24:MI:SS')"
    return f"TO_CLOB({quoted})||TO_CLOB('')" if "\n" in value else quoted
