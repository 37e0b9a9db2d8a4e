"""A crawl plan in a file, as `plan.json` of a crawl's folder has it."""

from pathlib import Path

from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.plan_json import MOST_CHARACTERS, from_json
from opilio.kernel.files import reading


def read_plan(path: Path) -> CrawlPlan:
    """The plan; `BadPlan` names the file and the field that is wrong."""
    with reading(path):
        if path.stat().st_size > MOST_CHARACTERS:
            raise BadPlan("the file is too large for a plan", where=str(path), remedy="Name the file of a plan.")
        data = path.read_bytes()
    try:
        return from_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadPlan("the plan is no UTF-8 text", where=str(path), remedy="Save it as UTF-8.") from None
    except BadPlan as error:
        where = f"{path}: {error.where}" if error.where else str(path)
        raise BadPlan(error.what, where=where, remedy=error.remedy) from None
