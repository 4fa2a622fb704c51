"""Checks whether a model is valid, and whether TVM's ONNX front end fails on it in the same way as on the first one.

A model is a text printed by gen.py. It is valid if ONNX's own checker, with shape inference, finds nothing wrong.
"""

import os
import re

import onnx
from onnx import TensorProto, helper
from tvm.relax.frontend.onnx import from_onnx

WANTED = os.environ.get("BUG", "")


def tensor(name, shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def constant(name, values):
    kind = TensorProto.FLOAT if isinstance(values[0], float) else TensorProto.INT64
    return helper.make_tensor(name, kind, [len(values)], values)


def model_of(text):
    """Builds the model that a text describes; raises if the text is invalid."""
    names = {"inputs": [], "constants": [], "nodes": [], "outputs": [], "make_node": helper.make_node}
    names.update(constant=constant, tensor=tensor)
    exec(text, names)
    outputs = [tensor(name, None) for name in names["outputs"]]
    graph = helper.make_graph(names["nodes"], "model", names["inputs"], outputs, names["constants"])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    # The text does not give the shapes of the outputs; they are inferred.
    model = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    onnx.checker.check_model(model)
    return model


def failure(model):
    """The front end's failure: the kind of error and the last line, without numbers."""
    try:
        from_onnx(model)
    except Exception as error:
        last = (str(error).strip().splitlines() or [""])[-1]
        return re.sub(r"\d+", "N", "%s: %s" % (type(error).__name__, last))
    return None


def check(text):
    try:
        model = model_of(text)
    except Exception:
        return "invalid"
    return "bug" if WANTED and WANTED in (failure(model) or "") else "valid"


if __name__ == "__main__":
    import sys

    for path in sys.argv[1:]:
        with open(path) as file:
            print(path, failure(model_of(file.read())))
