"""No module needs, by way of others, a module that needs it: a room can be read from the ground up."""

import grimp
import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tests.house.sources import ROOMS


def circles(graph: grimp.ImportGraph) -> list[list[str]]:
    """The sets of modules that need one another. What is imported for types alone counts too."""
    names = sorted(graph.modules)
    place = {name: number for number, name in enumerate(names)}
    arrows = [(place[name], place[other]) for name in names for other in graph.find_modules_directly_imported_by(name)]
    ends = np.array(arrows, dtype=np.int64).reshape(-1, 2)
    table = coo_array((np.ones(len(ends), dtype=np.int8), (ends[:, 0], ends[:, 1])), shape=(len(names), len(names)))
    _, codes = connected_components(table, connection="strong")
    return [[names[one] for one in np.flatnonzero(codes == code)] for code in np.flatnonzero(np.bincount(codes) > 1)]


def test_there_is_no_circle():
    rooms = [room for room in ROOMS if room != "tests"]
    found = circles(grimp.build_graph(*rooms, cache_dir=None))
    assert not found, "\n".join(" ⇄ ".join(modules) for modules in found)


def test_a_circle_would_be_seen():
    graph = grimp.ImportGraph()
    for name in ("a", "b", "c", "d"):
        graph.add_module(name)
    for importer, imported in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")):
        graph.add_import(importer=importer, imported=imported)
    assert circles(graph) == [["a", "b", "c"]]
