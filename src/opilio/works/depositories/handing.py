"""Hands a package to a depository that may have it already, and reads again what went there."""

from collections.abc import Mapping

from opilio.works.depositories.values import Checked, Depository, Package, Receipt, Told, require_same


def hand_over(depository: Depository, package: Package, answers: Mapping[str, str], told: Told) -> Receipt:
    """Ask for the key first, so that what an earlier try handed over is not handed over again."""
    receipt = depository.find(package) or depository.deposit(package, answers, told)
    require_same(package, receipt, receipt.where)
    return receipt


def proven(depository: Depository, package: Package, receipt: Receipt, told: Told) -> Checked:
    """Read it again; `Untrue` when it is not the package."""
    return depository.check(package, receipt, told)
