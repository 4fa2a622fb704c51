// Makes a JavaScript function a test server for Whittle.
//
//     const { serve } = require("./whittle_server.js");
//     const fs = require("fs");
//
//     serve((path) => fs.readFileSync(path, "utf8").includes("needle"));
//
// Run it with: whittle --server 'node {cwd}/server.js' INPUT
//
// The function gets the path of a candidate and returns true or false, a status from 0 to 255 (0 is interesting), or an array
// of one of these and a text, which --stdout and --signature see; or a promise of that. If it throws, the candidate is not
// interesting, and the text is the error. What it prints goes to standard error.

"use strict";

const fs = require("fs");
const readline = require("readline");

function answer(verdict) {
  let text = "";
  if (Array.isArray(verdict)) [verdict, text] = verdict;
  const status = typeof verdict === "number" ? verdict : verdict ? 0 : 1;
  return `${status} ${String(text).split(/\s+/).join(" ").trim()}\n`;
}

/** Answers Whittle until it closes the pipe. */
async function serve(isInteresting) {
  const say = (line) => fs.writeSync(1, line);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  say("ready\n");
  for await (const path of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    let verdict;
    try {
      verdict = await isInteresting(path);
    } catch (error) {
      verdict = [1, error];
    }
    say(answer(verdict));
  }
  process.exit(0);
}

module.exports = { serve };
