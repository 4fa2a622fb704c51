// Makes JavaScript programs: statements and expressions by recursion, with a pool of identifiers that are used again.
// After the generator for Closure Compiler in Zest (Padhye et al.: Semantic Fuzzing with Zest, 2019).
//
// usage: node gen.js SEED [STATEMENTS]
"use strict";

const { Source } = require("../../../javascript/whittle-choices.js");

const source = Source.fromEnv(process.argv[2] ?? 0);
const MOST_STATEMENTS = Number(process.argv[3] ?? 12);
const DEEPEST_STATEMENT = 4;
const DEEPEST_EXPRESSION = 5;
const MOST_IDENTIFIERS = 12;

const BINARY = ["+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "===", "!=", "&&", "||", "&", "|", "^", ",", "in"];
const UNARY = ["!", "-", "+", "~", "typeof ", "void ", "delete "];
const ASSIGNMENTS = ["=", "+=", "-=", "*=", "|="];

let statementDepth = 0;
let expressionDepth = 0;
const identifiers = [];

/** A function that is a scope for its draws. */
function scoped(name, body) {
  return (...parameters) => source.scope(name, () => body(...parameters));
}

const identifier = scoped("identifier", () => {
  const fresh = identifiers.length === 0 || (identifiers.length < MOST_IDENTIFIERS && source.int(0, 2) === 2);
  if (!fresh) return source.choose(identifiers);
  const name = source.choose("abcdefghijklmnopqrstuvwxyz") + "_" + identifiers.length;
  identifiers.push(name);
  return name;
});

const literal = scoped("literal", () => {
  const kinds = [number, number, string, () => "true", () => "false", () => "null", () => "undefined", array, object];
  return source.choose(kinds)();
});
const number = () => String(source.int(-10, 100));
const string = () => `"${source.repeat(0, 4, () => source.choose("abcdefgh ")).join("")}"`;
const array = () => `[${source.repeat(0, 3, expression).join(", ")}]`;
const object = () => `({${source.repeat(0, 3, () => `${identifier()}: ${expression()}`).join(", ")}})`;

const expression = scoped("expression", () => {
  const simple = [identifier, literal];
  const compound =
    [unary, binary, ternary, call, creation, index, property, increment, assignment, functionExpression, arrow];
  expressionDepth += 1;
  const kinds = expressionDepth < DEEPEST_EXPRESSION ? source.weighted([[1, simple], [1, compound]]) : simple;
  const made = source.choose(kinds)();
  expressionDepth -= 1;
  return made;
});

const unary = () => `(${source.choose(UNARY)}${expression()})`;
const binary = () => `(${expression()} ${source.choose(BINARY)} ${expression()})`;
const ternary = () => `(${expression()} ? ${expression()} : ${expression()})`;
const call = () => `${callee()}(${source.repeat(0, 3, expression).join(", ")})`;
const creation = () => `(new ${identifier()}(${source.repeat(0, 2, expression).join(", ")}))`;
const index = () => `${callee()}[${expression()}]`;
const property = () => `${callee()}.${identifier()}`;
const increment = () => `(${source.choose(["++", "--"])}${identifier()})`;
const assignment = () => `(${identifier()} ${source.choose(ASSIGNMENTS)} ${expression()})`;
const callee = () => source.choose([identifier, () => `(${expression()})`])();

const functionExpression = () => `(function ${source.optional(identifier) ?? ""}(${parameters()}) ${block()})`;
const arrow = () => `((${parameters()}) => ${source.choose([expression, block])()})`;
const parameters = () => [...new Set(source.repeat(0, 3, identifier))].join(", ");

const statement = scoped("statement", () => {
  const simple = [expressionStatement, variable, returning, throwing, empty];
  const compound = [branch, whileLoop, doLoop, forLoop, forIn, namedFunction, switching, trying, block, letBlock];
  statementDepth += 1;
  const kinds = statementDepth < DEEPEST_STATEMENT ? source.weighted([[2, simple], [3, compound]]) : simple;
  const made = source.choose(kinds)();
  statementDepth -= 1;
  return made;
});

const block = () => `{ ${source.repeat(0, 3, statement).join(" ")} }`;
const expressionStatement = () => `(${expression()});`;
const variable = () => `var ${identifier()}${source.optional(() => ` = ${expression()}`) ?? ""};`;
const empty = () => ";";
const throwing = () => `throw ${expression()};`;
// A return is possible only in a function, so it comes with one.
const returning = () => `(function () { return ${expression()}; })();`;
const branch = () => `if (${expression()}) ${block()}${source.optional(() => ` else ${block()}`) ?? ""}`;
const loopBody = () => `{ ${source.repeat(0, 3, statement).join(" ")} ${source.optional(leaving) ?? ""}}`;
const leaving = () => source.choose(["break; ", "continue; "]);
const whileLoop = () => `while (${expression()}) ${loopBody()}`;
const doLoop = () => `do ${loopBody()} while (${expression()});`;
const forLoop = () => {
  const begin = source.optional(() => `var ${identifier()} = ${expression()}`) ?? "";
  const [test, step] = [source.optional(expression) ?? "", source.optional(expression) ?? ""];
  return `for (${begin}; ${test}; ${step}) ${loopBody()}`;
};
const forIn = () => `for (var ${identifier()} in ${expression()}) ${loopBody()}`;
const namedFunction = () => `function ${identifier()}(${parameters()}) ${block()}`;
const oneCase = () => `case ${expression()}: ${source.repeat(0, 2, statement).join(" ")} ${source.optional(() => "break; ") ?? ""}`;
const switching = () => `switch (${expression()}) { ${source.repeat(0, 3, oneCase).join("")}}`;
const trying = () => `try ${block()} catch (${identifier()}) ${block()}${source.optional(() => ` finally ${block()}`) ?? ""}`;
const letBlock = () => `{ ${source.choose(["let", "const"])} ${identifier()} = ${expression()}; ${source.repeat(0, 2, statement).join(" ")} }`;

console.log(source.repeat(1, MOST_STATEMENTS, statement).join("\n"));
