"use strict";
const { Source } = require("../../../../javascript/whittle-choices.js");
const source = Source.fromEnv(process.argv[2]);

function tree(depth) {
  return source.scope("tree", () => {
    const letters = [..."abcdef"].filter((_, place) => place !== depth);
    let text = source.choose(letters) + "(";
    source.repeat(0, 3 - depth, () => (text += tree(depth + 1)));
    source.optional(() => (text += source.int(10, 99)));
    return text + ")";
  });
}

console.log(tree(0));
