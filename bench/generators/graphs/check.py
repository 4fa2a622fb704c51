"""Whether a graph is valid, and whether JGraphT's delta stepping misses a path in it that Dijkstra's algorithm finds.

A graph is a text as gen.c prints it; it is valid if JGraphT takes every call. Paths begin at the first vertex.
"""

import jgrapht
from jgrapht.algorithms.shortestpaths import delta_stepping, dijkstra


def graph_of(text):
    """The graph that a text describes; raises whatever is wrong with it."""
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
