"""The groups of near-duplicates among many fingerprints."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from opilio.search.fingerprints import BITS, NEAR

_BLOCK = 16  # bits: fingerprints that differ in at most three have one of four blocks in common
_WINDOW = 256  # neighbours in a block that are compared; those beyond are equal in the block and sorted further off


def groups(pages: NDArray[np.int64], prints: NDArray[np.uint64]) -> NDArray[np.int64]:
    """For each page the smallest number among its near-duplicates, which is the name of their group.

    Nearness is carried on: a page near to a near page belongs to them. A fingerprint of 0 is near to nothing.
    """
    found = pages.copy()
    telling = np.flatnonzero(prints)
    if not len(telling):
        return found
    values, inverse = np.unique(prints[telling], return_inverse=True)
    labels = _components(values)[inverse]
    smallest = np.full(labels.max() + 1, np.iinfo(np.int64).max)
    np.minimum.at(smallest, labels, pages[telling])
    found[telling] = smallest[labels]
    return found


def _components(values: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Which of some different fingerprints hang together."""
    pairs = [_near_pairs(values, block) for block in range(BITS // _BLOCK)]
    left, right = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    graph = coo_array((np.ones(len(left), np.bool_), (left, right)), shape=(len(values), len(values)))
    return connected_components(graph, directed=False)[1].astype(np.int64)


def _near_pairs(values: NDArray[np.uint64], block: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs that are near and equal in one block of their bits."""
    part = (values >> np.uint64(block * _BLOCK)) & np.uint64((1 << _BLOCK) - 1)
    order = np.argsort(part, kind="stable")
    part, sorted_values = part[order], values[order]
    lefts, rights = [], []
    for step in range(1, min(_WINDOW, len(values) - 1) + 1):
        same = part[:-step] == part[step:]
        if not same.any():
            break
        close = same & (np.bitwise_count(sorted_values[:-step] ^ sorted_values[step:]) <= NEAR)
        at = np.flatnonzero(close)
        lefts.append(order[at])
        rights.append(order[at + step])
    empty = np.empty(0, np.int64)
    return np.concatenate(lefts or [empty]), np.concatenate(rights or [empty])
