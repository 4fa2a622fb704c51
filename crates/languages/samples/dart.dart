// Shapes.
library shapes;

import 'dart:math' as math show pi;

abstract class Shape {
  const Shape(this.name, {this.sides = 0});
  final String name;
  final int sides;
  double get area;
}

mixin Logged on Shape {
  void log() => print('$name has ${sides + 1} sides\n');
}

class Circle extends Shape with Logged implements Comparable<Circle> {
  Circle(this.radius) : assert(radius >= 0), super('circle');
  factory Circle.unit() => Circle(1.0);
  double radius;
  @override
  double get area => math.pi * radius * radius;
  @override
  int compareTo(Circle other) => radius < other.radius ? -1 : 1;
}

enum Colour { red, green }

Future<int> load(String? path, [int limit = 0x10]) async {
  final values = <int>[1, 2, for (var i = 0; i < 3; i++) i * i];
  var map = {'a': 1, "b": null};
  for (final value in values) {
    if (value.isEven && path != null) continue;
    limit += value;
  }
  while (limit > 1e3) {
    limit--;
  }
  switch (limit) {
    case 1:
      break;
    default:
      throw ArgumentError('bad');
  }
  try {
    await Future.delayed(Duration(seconds: 1));
  } on FormatException catch (e) {
    rethrow;
  } finally {
    map..clear()..['c'] = 3;
  }
  return path?.length ?? values.where((x) => x > 1).first;
}

Stream<int> count() async* { yield 1; }
