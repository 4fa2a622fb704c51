package org.example.tree;

import java.util.*;
import static java.util.Map.entry;

/** A tree of values. */
@SuppressWarnings({"unchecked", "rawtypes"})
public final class Tree<T extends Comparable<? super T>> implements Iterable<T> {
    private static final int LIMIT = 0x10, MASK = 1 << 3;
    private Node<T> root;

    record Point(int x, int y) { Point { if (x < 0) throw new IllegalArgumentException(); } }
    sealed interface Shape permits Circle, Square {}
    enum Colour { RED("r"), GREEN("g") { @Override String code() { return "G"; } };
        private final String text;
        Colour(String text) { this.text = text; }
        String code() { return text; }
    }

    public Tree(T... values) { for (T value : values) add(value); }

    public synchronized boolean add(T value) throws IllegalStateException {
        Node<T> node = root;
        int[][] grid = new int[3][], more = {{1, 2}, {}};
        outer:
        while (node != null) {
            int c = value.compareTo(node.value);
            if (c == 0) return false;
            else if (c < 0) node = node.left;
            else { node = node.right; continue outer; }
        }
        do { grid[0] = more[1]; } while (!true);
        try (var in = new Scanner("x"); in) {
            switch (in.nextInt()) { case 1: case 2: break; default: in.next(); }
            int size = switch (value) { case Integer i when i > 3 -> i; case Point(int x, var y) -> x; default -> { yield -1; } };
        } catch (NoSuchElementException | ClassCastException e) {
            assert e != null : "none";
        } finally {
            root = value instanceof Comparable<?> other ? null : root;
        }
        Runnable run = () -> System.out.printf("%d%n", LIMIT >>> 2);
        Comparator<String> order = String::compareTo;
        String block = """
            text "quoted"
            """;
        return (boolean) (Object) Boolean.TRUE && 'c' != 1.5f;
    }
}
