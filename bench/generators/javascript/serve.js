// Answers what minifiers and compilers in JavaScript do with files, without starting Node for each. A file is valid if V8
// can compile it. A tool fails if it throws an error, or if V8 cannot compile what it makes.
//
// usage: node serve.js NODE_MODULES TOOL PORT_FILE; ends when standard input does. Speaks as serve.py does.
"use strict";

const fs = require("fs");
const net = require("net");
const path = require("path");
const vm = require("vm");

const [modules, tool, portFile] = process.argv.slice(2);
const load = (name) => require(path.join(path.resolve(modules), name));

function minified({ error, code }) {
  if (error) throw error;
  return code;
}

const TOOLS = {
  "uglify-es": () => (text) => minified(load("uglify-es").minify(text)),
  terser: () => (text) => minified(load("terser").minify(text)),
  "babel-minify": () => (text) => load("babel-minify")(text).code,
  butternut: () => (text) => load("butternut").squash(text, { check: false }).code,
};
const run = TOOLS[tool]();

function compileError(text) {
  try {
    new vm.Script(text);
    return null;
  } catch (error) {
    return error;
  }
}

/** What identifies a failure: the message without names and numbers, and the function that throws. */
function described(error) {
  const message = String(error.message).split("\n")[0].replace(/(["'`]).*?\1|\b\w_\d+\b|\d+/g, "N");
  const place = /^ +at (?:new )?([\w.$]+) \(/m.exec(error.stack ?? "");
  return `${error.name} in ${place ? place[1] : "?"}: ${message}`;
}

function check(text) {
  if (compileError(text)) return "invalid";
  try {
    const error = compileError(run(text));
    return error ? `valid invalid output: ${error.message}` : "valid";
  } catch (error) {
    return `valid ${described(error)}`;
  }
}

const server = net.createServer((client) => {
  client.once("data", (data) => client.end(`${check(fs.readFileSync(String(data).trimEnd(), "utf8"))}\n`));
  client.on("error", () => {});
});
console.log = console.warn = console.error = () => {};
server.listen(0, "127.0.0.1", () => {
  fs.writeFileSync(`${portFile}.new`, `${server.address().port}\n`);
  fs.renameSync(`${portFile}.new`, portFile);
});
process.stdin.on("end", () => process.exit(0)).resume();
