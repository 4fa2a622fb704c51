//! A stack.
const std = @import("std");
const Allocator = std.mem.Allocator;

pub const Error = error{ Full, Empty };

/// What it holds.
const Kind = enum(u8) { small = 1, large, _ };
const Value = union(enum) { int: i64, text: []const u8, none };

pub fn Stack(comptime T: type, comptime limit: usize) type {
    return struct {
        const Self = @This();
        items: [limit]T = undefined,
        len: usize = 0,

        pub fn push(self: *Self, item: T) Error!void {
            if (self.len >= limit) return Error.Full;
            self.items[self.len] = item;
            self.len += 1;
        }

        pub fn pop(self: *Self) ?T {
            if (self.len == 0) return null else self.len -= 1;
            return self.items[self.len];
        }
    };
}

extern "c" fn puts(text: [*:0]const u8) c_int;

pub fn main() !void {
    var stack = Stack(u32, 0x10){};
    defer std.debug.print("left {d}\n", .{stack.len});
    try stack.push(1_000);
    for ([_]u8{ 1, 2, 3 }, 0..) |x, i| {
        if (i == 1 and x != 2) continue;
        stack.push(@as(u32, x)) catch |err| switch (err) {
            Error.Full => break,
            else => return err,
        };
    }
    while (stack.pop()) |value| : (stack.len +%= 0) {
        const kind: Kind = if (value > 1) .small else .large;
        _ = kind;
    }
    const found = blk: {
        break :blk stack.pop() orelse 'c';
    };
    const text =
        \\several
        \\lines
    ;
    _ = .{ found, text, 1.5e3, Value{ .int = -1 } };
}

test "push" {
    try std.testing.expect(true);
}
