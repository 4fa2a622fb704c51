"""Makes deep-learning models: operators are appended one by one to what is there, and shapes are respected.

After Isra (Ren et al.: Effective Random Test Generation for Deep Learning Compilers, 2023), with fewer operators. Prints
calls of ONNX's Python interface: a node for each operator, then the outputs, which are the tensors that nothing uses.
Tensors have drawn names, so a tensor is the same after others are removed.

usage: gen.py SEED [OPERATORS]
"""

import random
import sys


class Model:
    """The lines of a model, the tensors that there are with their shapes, and those that were used."""

    def __init__(self):
        self.lines, self.shapes, self.used, self.names = [], {}, set(), set()

    def name(self):
        number = random.randrange(10000)
        while number in self.names:
            number += 1
        self.names.add(number)
        return "t%d" % number

    def input(self, shape):
        name = self.name()
        self.shapes[name] = shape
        # An input that nothing uses is no output.
        self.used.add(name)
        self.lines.append("inputs.append(tensor(%r, %r))" % (name, shape))

    def node(self, operator, inputs, shape, **attributes):
        name = self.name()
        options = "".join(", %s=%r" % option for option in attributes.items())
        self.lines.append("nodes.append(make_node(%r, %r, [%r]%s))" % (operator, inputs, name, options))
        self.used.update(inputs)
        if shape is not None:
            self.shapes[name] = shape
        return name

    def constant(self, values):
        name = self.name()
        self.lines.append("constants.append(constant(%r, %r))" % (name, values))
        return name

    def text(self):
        outputs = [name for name in self.shapes if name not in self.used]
        return "\n".join(self.lines + ["outputs.append(%r)" % name for name in outputs]) + "\n"


def tensor(model, fits=lambda shape: True):
    """A tensor whose shape fits; nothing if there is none."""
    fitting = [name for name, shape in model.shapes.items() if fits(shape)]
    return random.choice(fitting) if fitting else None


def unary(model):
    operator = random.choice(["Relu", "Sigmoid", "Tanh", "Abs", "Neg", "Exp", "Floor", "Softplus", "Erf", "Sign"])
    a = tensor(model)
    model.node(operator, [a], model.shapes[a])


def binary(model):
    operator = random.choice(["Add", "Sub", "Mul", "Max", "Min"])
    a = tensor(model)
    b = tensor(model, lambda shape: shape == model.shapes[a])
    model.node(operator, [a, b], model.shapes[a])


def concat(model):
    a = tensor(model)
    axis = random.randrange(len(model.shapes[a]))
    outside = lambda shape: shape[:axis] + shape[axis + 1 :]
    b = tensor(model, lambda shape: len(shape) == len(model.shapes[a]) and outside(shape) == outside(model.shapes[a]))
    shape = list(model.shapes[a])
    shape[axis] += model.shapes[b][axis]
    if shape[axis] <= 32:
        model.node("Concat", [a, b], shape, axis=axis)


def transpose(model):
    a = tensor(model)
    order = list(range(len(model.shapes[a])))
    random.shuffle(order)
    model.node("Transpose", [a], [model.shapes[a][place] for place in order], perm=order)


def reduction(model):
    operator = random.choice(["ReduceMean", "ReduceMax", "ReduceSum"])
    a = tensor(model)
    axis = random.randrange(len(model.shapes[a]))
    shape = list(model.shapes[a])
    shape[axis] = 1
    model.node(operator, [a, model.constant([axis])], shape, keepdims=1)


def softmax(model):
    a = tensor(model)
    axis = random.randrange(len(model.shapes[a]))
    model.node(random.choice(["Softmax", "LogSoftmax"]), [a], model.shapes[a], axis=axis)


def pooling(model):
    a = tensor(model, lambda shape: len(shape) == 4 and min(shape[2:]) >= 2)
    if a:
        n, c, h, w = model.shapes[a]
        model.node(random.choice(["MaxPool", "AveragePool"]), [a], [n, c, h - 1, w - 1], kernel_shape=[2, 2])


def resize(model):
    a = tensor(model, lambda shape: len(shape) in (3, 4) and max(shape) <= 8)
    if a:
        mode = random.choice(["nearest", "linear"])
        scales = [float(random.choice([1, 1, 2])) for _ in model.shapes[a]]
        if mode == "linear":
            # Few systems interpolate in other dimensions than the last two.
            scales[:-2] = [1.0] * len(scales[:-2])
        shape = [int(size * scale) for size, scale in zip(model.shapes[a], scales)]
        model.node("Resize", [a, "", model.constant(scales)], shape, mode=mode)


def matmul(model):
    a = tensor(model, lambda shape: len(shape) >= 2)
    if a:
        shape = model.shapes[a]
        b = tensor(model, lambda other: other[:-2] == shape[:-2] and len(other) >= 2 and other[-2] == shape[-1])
        if b:
            model.node("MatMul", [a, b], shape[:-1] + model.shapes[b][-1:])


def flatten(model):
    a = tensor(model)
    axis = random.randrange(len(model.shapes[a]) + 1)
    before, after = 1, 1
    for place, size in enumerate(model.shapes[a]):
        before, after = (before * size, after) if place < axis else (before, after * size)
    model.node("Flatten", [a], [before, after], axis=axis)


def pad(model):
    a = tensor(model)
    pads = [random.randrange(2) for _ in model.shapes[a] * 2]
    shape = [sum(sizes) for sizes in zip(model.shapes[a], pads, pads[len(pads) // 2 :])]
    model.node("Pad", [a, model.constant(pads)], shape, mode="constant")


def where(model):
    a = tensor(model)
    b = tensor(model, lambda shape: shape == model.shapes[a])
    condition = model.node(random.choice(["Less", "Greater"]), [a, b], None)
    model.node("Where", [condition, a, b], model.shapes[a])


def broadcast(model):
    a = tensor(model)
    shape = model.shapes[a]
    b = tensor(model, lambda other: len(other) == len(shape) and all(1 in pair or pair[0] == pair[1] for pair in zip(other, shape)))
    model.node(random.choice(["Add", "Sub", "Mul"]), [a, b], [max(pair) for pair in zip(shape, model.shapes[b])])


def identity(model):
    a = tensor(model)
    model.node(random.choice(["Identity", "Dropout"]), [a], model.shapes[a])


def unsqueeze(model):
    a = tensor(model, lambda shape: len(shape) < 4)
    if a:
        shape = list(model.shapes[a])
        axis = random.randrange(len(shape) + 1)
        shape.insert(axis, 1)
        model.node("Unsqueeze", [a, model.constant([axis])], shape)


def squeeze(model):
    a = tensor(model, lambda shape: 1 in shape and len(shape) > 2)
    if a:
        shape = list(model.shapes[a])
        axis = random.choice([place for place, size in enumerate(shape) if size == 1])
        del shape[axis]
        model.node("Squeeze", [a, model.constant([axis])], shape)


def cut(model):
    a = tensor(model, lambda shape: max(shape) > 1)
    if a:
        shape = list(model.shapes[a])
        axis = random.choice([place for place, size in enumerate(shape) if size > 1])
        begin = random.randrange(shape[axis])
        end = random.randint(begin + 1, shape[axis])
        shape[axis] = end - begin
        model.node("Slice", [a, *(model.constant([number]) for number in (begin, end, axis))], shape)


def gather(model):
    a = tensor(model)
    shape = list(model.shapes[a])
    axis = random.randrange(len(shape))
    places = [random.randrange(shape[axis]) for _ in range(random.randint(1, 3))]
    shape[axis] = len(places)
    model.node("Gather", [a, model.constant(places)], shape, axis=axis)


def reshape(model):
    a = tensor(model)
    shape = list(model.shapes[a])
    random.shuffle(shape)
    model.node("Reshape", [a, model.constant(shape)], shape)


def expand(model):
    a = tensor(model, lambda shape: 1 in shape)
    if a:
        shape = [random.randint(1, 3) if size == 1 else size for size in model.shapes[a]]
        model.node("Expand", [a, model.constant(shape)], shape)


def tile(model):
    a = tensor(model, lambda shape: max(shape) <= 6)
    if a:
        times = [random.choice([1, 1, 2]) for _ in model.shapes[a]]
        shape = [size * count for size, count in zip(model.shapes[a], times)]
        model.node("Tile", [a, model.constant(times)], shape)


def convolution(model):
    a = tensor(model, lambda shape: len(shape) == 4)
    if a:
        n, c, h, w = model.shapes[a]
        b = tensor(model, lambda other: len(other) == 4 and other[1] == c and other[2] <= h and other[3] <= w)
        if b:
            m, _, y, x = model.shapes[b]
            model.node("Conv", [a, b], [n, m, h - y + 1, w - x + 1])


OPERATORS = [unary, binary, concat, transpose, reduction, softmax, pooling, resize, matmul, flatten, pad, where]
OPERATORS += [broadcast, identity, unsqueeze, squeeze, cut, gather, reshape, expand, tile, convolution]


def generate(most):
    model = Model()
    for _ in range(random.randint(1, 3)):
        model.input([random.randint(1, 4) for _ in range(random.randint(2, 4))])
    for _ in range(random.randint(1, most)):
        random.choice(OPERATORS)(model)
    return model.text()


random.seed(int(sys.argv[1]))
print(generate(int(sys.argv[2]) if len(sys.argv) > 2 else 80), end="")
