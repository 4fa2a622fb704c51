"""Checks whether a graph is valid, and whether JGraphT's delta stepping misses a path that Dijkstra's algorithm finds.

A graph is a text printed by gen.c. It is valid if JGraphT accepts every call. Paths begin at the first vertex.
"""

import jgrapht
from jgrapht.algorithms.shortestpaths import delta_stepping, dijkstra


def graph_of(text):
    """Builds the graph that a text describes; raises if the text is invalid."""
    graph = jgrapht.create_graph(directed=True, weighted=True, allowing_self_loops=True, allowing_multiple_edges=True)
    exec(text, {"graph": graph})
    return graph


def misses_a_path(graph):
    vertices = list(graph.vertices)
    for vertex in vertices[1:]:
        if dijkstra(graph, vertices[0], vertex) and not delta_stepping(graph, vertices[0], vertex, parallelism=1):
            return True
    return False


def check(text):
    try:
        graph = graph_of(text)
    except Exception:
        return "invalid"
    return "bug" if misses_a_path(graph) else "valid"
