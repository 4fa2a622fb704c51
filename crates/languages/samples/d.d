// Shapes.
module shapes;

import std.stdio : writeln;
import std.algorithm;

enum Colour : ubyte { red = 1, green }
alias Pair = int[2];

interface Shape { double area() const; }

class Circle : Shape
{
    private double radius = 1.0;
    this(double radius) { this.radius = radius; }
    override double area() const { return 3.14 * radius * radius; }
}

struct Stack(T, size_t limit = 8)
{
    T[] items;
    @property bool empty() const pure nothrow { return items.length == 0; }
    void push(T item)
    in (items.length < limit)
    {
        items ~= item;
    }
}

T twice(T)(T x) if (is(T : int)) { return x * 2; }

void main(string[] args)
{
    auto stack = new Stack!int;
    foreach (i, arg; args)
    {
        if (i == 0 || arg is null) continue;
        writeln(arg[1 .. $], `raw "text"`);
    }
    for (int i = 0; i < 0x10; ++i) stack.push(i);
    int[string] ages = ["a": 1, "b": 2];
    switch (args.length)
    {
        case 0: break;
        default: throw new Exception("bad");
    }
    try { assert(twice(2) == 4); } catch (Exception e) { } finally { }
    auto f = (int x) => x + 1;
    scope (exit) writeln("done");
    while (!stack.empty) { stack.items = stack.items[0 .. $ - 1]; }
    static if (size_t.sizeof == 8) { enum wide = true; }
}

unittest { assert(true); }
