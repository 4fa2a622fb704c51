"""Runs a model, a text printed by gen.py, through a system that $SYSTEM names: tvm or openvino.

A model is valid if ONNX's own checker, with shape inference, finds nothing wrong. If it can be computed too, TVM 0.27's
front end must accept it, and OpenVINO 2022.3 must accept it and compute the same as ONNX Runtime without optimizations.
The checker does not see everything: a Reshape to another number of elements passes, and cannot be computed.
"""

import os

import numpy
import onnx
from onnx import TensorProto, helper

OPENVINO = os.environ["SYSTEM"] == "openvino"
if OPENVINO:
    import onnxruntime
    from openvino.runtime import Core
else:
    from onnx.reference import ReferenceEvaluator
    from tvm.relax.frontend.onnx import from_onnx


def tensor(name, shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def constant(name, values):
    kind = TensorProto.FLOAT if isinstance(values[0], float) else TensorProto.INT64
    return helper.make_tensor(name, kind, [len(values)], values)


def parsed(text):
    """Builds the model that a text describes; raises if the text is invalid."""
    names = {"inputs": [], "constants": [], "nodes": [], "outputs": [], "make_node": helper.make_node}
    names.update(constant=constant, tensor=tensor)
    exec(text, names)
    outputs = [tensor(name, None) for name in names["outputs"]]
    graph = helper.make_graph(names["nodes"], "model", names["inputs"], outputs, names["constants"])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    model.ir_version = 8
    # The text does not give the shapes of the outputs; they are inferred.
    model = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    onnx.checker.check_model(model)
    return model


def computed(model, values):
    """The outputs according to ONNX Runtime, or to ONNX's own evaluator."""
    if not OPENVINO:
        return ReferenceEvaluator(model).run(None, values)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options).run(None, values)


def shape_of(value):
    return [dimension.dim_value for dimension in value.type.tensor_type.shape.dim]


def failure(model):
    source = numpy.random.RandomState(0)
    values = {value.name: source.uniform(-1, 1, shape_of(value)).astype("float32") for value in model.graph.input}
    try:
        expected = computed(model, values)
    except Exception:
        return ""
    if OPENVINO:
        return openvino_failure(model, values, expected)
    from_onnx(model)
    return ""


def openvino_failure(model, values, expected):
    core = Core()
    compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", {"INFERENCE_NUM_THREADS": "1"})
    results = compiled.infer_new_request(values)
    for one, other in zip(expected, (results[output] for output in compiled.outputs)):
        if one.shape != other.shape:
            return "another shape"
        if not numpy.allclose(one, other, 1e-3, 1e-3, equal_nan=True):
            return "another value"
    return ""
