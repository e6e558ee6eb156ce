"""Circles in a graph of references: what leads back to itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def circles(edges: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Each set of nodes of which every one leads to every other, of two or more, or one that names itself.

    Tarjan's strongly connected components, without recursion: chains of references may be long.
    """
    # Who names nobody that names somebody in turn is in no circle: of documents, most.
    edges = {node: further for node, others in edges.items() if (further := [name for name in others if name in edges])}
    index: dict[str, int] = {}
    lowest: dict[str, int] = {}
    on_path: set[str] = set()
    path: list[str] = []
    for root in edges:
        if root in index:
            continue
        index[root] = lowest[root] = len(index)
        path.append(root)
        on_path.add(root)
        calls = [(root, iter(edges[root]))]
        while calls:
            node, following = calls[-1]
            deeper = False
            for other in following:
                if other not in index:
                    index[other] = lowest[other] = len(index)
                    path.append(other)
                    on_path.add(other)
                    calls.append((other, iter(edges.get(other, ()))))
                    deeper = True
                    break
                if other in on_path:
                    lowest[node] = min(lowest[node], index[other])
            if deeper:
                continue
            calls.pop()
            if calls:
                above = calls[-1][0]
                lowest[above] = min(lowest[above], lowest[node])
            if lowest[node] == index[node]:
                component = []
                while True:
                    other = path.pop()
                    on_path.discard(other)
                    component.append(other)
                    if other == node:
                        break
                if len(component) > 1 or node in edges.get(node, ()):
                    yield component[::-1]
