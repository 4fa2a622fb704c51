#!/usr/bin/env bash
# setup.sh FOLDER: installs the systems under test into a folder, for the checks. About 1 GB.
# Some have wheels for old versions of Python only. If python3.8 is not on PATH, set PYTHON38.
set -eu
mkdir -p "$1"
cd "$1"
npm install --prefix closure google-closure-compiler@20180204.0.0
npm install --prefix minifiers uglify-es@3.3.9 terser@3.8.1 babel-minify@0.4.3 butternut@0.4.6
"${PYTHON38:-python3.8}" -m venv graphs
graphs/bin/pip install jgrapht==1.5.0.0 networkx==2.2 numpy==1.19.5
"${PYTHON38:-python3.8}" -m venv openvino
openvino/bin/pip install openvino==2022.3.0 onnxruntime==1.14.1 onnx==1.13.1 protobuf==3.20.3
python3 -m venv tvm
tvm/bin/pip install apache-tvm==0.27.0.post1 onnx==1.23.2
