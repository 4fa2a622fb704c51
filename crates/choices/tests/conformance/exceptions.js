// A generator that catches exceptions in rounds, optional parts and recursive scopes. For some seeds its trace is longer than
// the recorder's buffer.
"use strict";
const { Source } = require("../../../../javascript/whittle-choices.js");
const source = Source.fromEnv(process.argv[2]);
let depth = 0;

function tree() {
  return source.scope("tree", () => {
    if (source.at("fails").int(0, 9) === 0) throw new Error("no tree");
    depth += 1;
    const parts = depth < 7 ? source.at("parts").repeat(0, 4, part) : [];
    try {
      if (depth < 5) source.at("rows").repeat(1, 3, () => source.at("columns").repeat(1, 3, tree));
    } catch {
      source.at("instead").weighted([[1, "a"], [3, 2 ** 40], [2, -7], [1, undefined], [1, tree]]);
    }
    depth -= 1;
    return parts;
  });
}

function part() {
  try {
    return source.at("kind").int(0, 3) === 0 ? source.at("inner").optional(tree) : tree();
  } catch {
    return source.at("large").int(0, 2 ** 40);
  }
}

for (let left = 20; left > 0; left--) {
  try {
    tree();
  } catch {
    depth = 0;
  }
}
