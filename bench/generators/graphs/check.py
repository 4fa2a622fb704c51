"""Runs an algorithm that $SYSTEM names on a graph, a text printed by gen.c: one of JGraphT 1.5.0.0 or of NetworkX 2.2.

A graph is valid if JGraphT accepts every call.
"""

import os

import jgrapht
import networkx
from jgrapht.algorithms.planar import is_planar
from jgrapht.algorithms.shortestpaths import delta_stepping, dijkstra
from networkx.algorithms.community import greedy_modularity_communities


class Described:
    """The vertices and edges that a text describes. JGraphT says whether they are valid."""

    def __init__(self):
        self.vertices, self.edges = [], []
        self.graph = self.jgrapht()

    def add_vertex(self, vertex):
        self.graph.add_vertex(vertex)
        self.vertices.append(vertex)

    def add_edge(self, source, target, weight):
        self.graph.add_edge(source, target, weight=weight)
        self.edges.append((source, target, weight))

    def jgrapht(self, directed=True):
        graph = jgrapht.create_graph(
            directed=directed, weighted=True, allowing_self_loops=True, allowing_multiple_edges=True
        )
        return self.into(graph, graph.add_vertex, graph.add_edge)

    def networkx(self, graph):
        return self.into(graph, graph.add_node, graph.add_edge)

    def into(self, graph, add_vertex, add_edge):
        for vertex in self.vertices:
            add_vertex(vertex)
        for source, target, weight in self.edges:
            add_edge(source, target, weight=weight)
        return graph


def parsed(text):
    """What a text describes; raises if it is invalid."""
    described = Described()
    exec(text, {"graph": described})
    return described


def delta_stepping_paths(described):
    """It must find a path from the first vertex where Dijkstra's algorithm does."""
    graph = described.graph
    vertices = list(graph.vertices)
    for vertex in vertices[1:]:
        if dijkstra(graph, vertices[0], vertex) and not delta_stepping(graph, vertices[0], vertex, parallelism=1):
            return "misses a path"
    return ""


def planarity(described):
    is_planar(described.jgrapht(directed=False))
    return ""


def matching(described):
    networkx.max_weight_matching(described.networkx(networkx.DiGraph()))
    return ""


def modularity(described):
    greedy_modularity_communities(described.networkx(networkx.MultiDiGraph()))
    return ""


def goldberg_radzik(described):
    if described.vertices:
        networkx.goldberg_radzik(described.networkx(networkx.MultiDiGraph()), described.vertices[0])
    return ""


ALGORITHMS = {
    "delta-stepping": delta_stepping_paths,
    "planarity": planarity,
    "matching": matching,
    "modularity": modularity,
    "goldberg-radzik": goldberg_radzik,
}
failure = ALGORITHMS[os.environ["SYSTEM"]]
