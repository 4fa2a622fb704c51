// Choices in all kinds of code, and texts that look like choices. With `untraced` as the second argument, a choice that
// needs a stack trace ends the program.
"use strict";
const { Source } = require("../../../../javascript/whittle-choices.js");
const source = Source.fromEnv(process.argv[2]);
if (process.argv[3] === "untraced") {
  Error.captureStackTrace = () => {
    throw new RangeError("a stack trace was taken");
  };
}

const texts = ["source.int(0, 9)", 'a ".choose(" b', `c ${"d"}.repeat(2) \` \${ ${"e".repeat(2)}`]; // source.choose([1])
/* source.weighted() " ' ` { */
const half = source.int(2, 90) / 2;
const [pattern, inClass] = [/"`.choose(a|\/[/"])/g, /[^/]'/.test(";'")];
const quarter = half / source . int(1, 4); // a " that does not matter
const made = { int: (text) => text + "!", inner: { choose: (...all) => all.length } };

class Doubled extends Array {
  repeat(times) {
    return `${super.at(0)}`.repeat(times);
  }
}

function nested(depth) {
  const letters = [..."abc"].slice(source?.int(0, 1));
  return `<${source.choose(letters)}${source.optional(() => `{${depth > 3 ? "" : nested(depth + 1)}}`) ?? "}"}>`;
}

console.log(texts, pattern.source, inClass, half, quarter, made.int("x"), made.inner.choose(...[1, 2]), new Doubled("y").repeat(2));
console.log(source.weighted([[1, source.int(5, 6)], [2, source.choose([source.at("inner").int(7, 8), 9])]]));
console.log(source.at("named").repeat(1, 4, () => nested(0)), source
  .repeat(2, 3, () => source.int(0, 99)).map((number) => number / 3));
