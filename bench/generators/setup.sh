#!/usr/bin/env bash
# setup.sh FOLDER: installs what the checks need into a folder: Closure Compiler, JGraphT, TVM. About 600 MB.
# JGraphT has wheels for Python 3.7 and 3.8 only: PYTHON38 names one of them if python3.8 is not on the path.
set -eu
mkdir -p "$1"
cd "$1"
npm install --prefix npm google-closure-compiler@20180204.0.0
"${PYTHON38:-python3.8}" -m venv jgrapht
jgrapht/bin/pip install jgrapht==1.5.0.0
python3 -m venv tvm
tvm/bin/pip install apache-tvm==0.27.0.post1 onnx==1.23.2
