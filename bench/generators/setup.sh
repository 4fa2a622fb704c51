#!/usr/bin/env bash
# setup.sh FOLDER: installs Closure Compiler, JGraphT and TVM into a folder, for the checks. About 600 MB.
# JGraphT has wheels for Python 3.7 and 3.8 only. If python3.8 is not on PATH, set PYTHON38 to one of them.
set -eu
mkdir -p "$1"
cd "$1"
npm install --prefix npm google-closure-compiler@20180204.0.0
"${PYTHON38:-python3.8}" -m venv jgrapht
jgrapht/bin/pip install jgrapht==1.5.0.0
python3 -m venv tvm
tvm/bin/pip install apache-tvm==0.27.0.post1 onnx==1.23.2
