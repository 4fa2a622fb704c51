// Makes JavaScript programs: statements and expressions by recursion, with a pool of identifiers that are used again.
// After the generator for Closure Compiler in Zest (Padhye et al.: Semantic Fuzzing with Zest, 2019).
//
// Choices have names, because finding their places by stack traces takes more time than making them. With `places` as
// the last argument they are found all the same.
//
// usage: node gen.js SEED [STATEMENTS [places]]
"use strict";

const { Source } = require("../../../javascript/whittle-choices.js");

const source = Source.fromEnv(process.argv[2] ?? 0);
const MOST_STATEMENTS = Number(process.argv[3] ?? 12);
const at = process.argv[4] === "places" ? () => source : (name) => source.at(name);
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
  const fresh = identifiers.length === 0 || (identifiers.length < MOST_IDENTIFIERS && at("identifier is new").int(0, 2) === 2);
  if (!fresh) return at("identifier old").choose(identifiers);
  const name = at("identifier letter").choose("abcdefghijklmnopqrstuvwxyz") + "_" + identifiers.length;
  identifiers.push(name);
  return name;
});

const literal = scoped("literal", () => {
  const kinds = [number, number, string, () => "true", () => "false", () => "null", () => "undefined", array, object];
  return at("literal kind").choose(kinds)();
});
const number = () => String(at("number number").int(-10, 100));
const string = () => `"${at("string list").repeat(0, 4, () => at("string letter").choose("abcdefgh ")).join("")}"`;
const array = () => `[${at("array list").repeat(0, 3, expression).join(", ")}]`;
const object = () => `({${at("object list").repeat(0, 3, () => `${identifier()}: ${expression()}`).join(", ")}})`;

const expression = scoped("expression", () => {
  const simple = [identifier, literal];
  const compound =
    [unary, binary, ternary, call, creation, index, property, increment, assignment, functionExpression, arrow];
  expressionDepth += 1;
  const kinds = expressionDepth < DEEPEST_EXPRESSION ? at("expression class").weighted([[1, simple], [1, compound]]) : simple;
  const made = at("expression kind").choose(kinds)();
  expressionDepth -= 1;
  return made;
});

const unary = () => `(${at("unary operator").choose(UNARY)}${expression()})`;
const binary = () => `(${expression()} ${at("binary operator").choose(BINARY)} ${expression()})`;
const ternary = () => `(${expression()} ? ${expression()} : ${expression()})`;
const call = () => `${callee()}(${at("call list").repeat(0, 3, expression).join(", ")})`;
const creation = () => `(new ${identifier()}(${at("creation list").repeat(0, 2, expression).join(", ")}))`;
const index = () => `${callee()}[${expression()}]`;
const property = () => `${callee()}.${identifier()}`;
const increment = () => `(${at("increment operator").choose(["++", "--"])}${identifier()})`;
const assignment = () => `(${identifier()} ${at("assignment operator").choose(ASSIGNMENTS)} ${expression()})`;
const callee = () => at("callee kind").choose([identifier, () => `(${expression()})`])();

const functionExpression = () => `(function ${at("functionExpression option").optional(identifier) ?? ""}(${parameters()}) ${block()})`;
const arrow = () => `((${parameters()}) => ${at("arrow kind").choose([expression, block])()})`;
const parameters = () => [...new Set(at("parameters list").repeat(0, 3, identifier))].join(", ");

const statement = scoped("statement", () => {
  const simple = [expressionStatement, variable, returning, throwing, empty];
  const compound = [branch, whileLoop, doLoop, forLoop, forIn, namedFunction, switching, trying, block, letBlock];
  statementDepth += 1;
  const kinds = statementDepth < DEEPEST_STATEMENT ? at("statement class").weighted([[2, simple], [3, compound]]) : simple;
  const made = at("statement kind").choose(kinds)();
  statementDepth -= 1;
  return made;
});

const block = () => `{ ${at("block list").repeat(0, 3, statement).join(" ")} }`;
const expressionStatement = () => `(${expression()});`;
const variable = () => `var ${identifier()}${at("variable option").optional(() => ` = ${expression()}`) ?? ""};`;
const empty = () => ";";
const throwing = () => `throw ${expression()};`;
// A return is possible only in a function, so it comes with one.
const returning = () => `(function () { return ${expression()}; })();`;
const branch = () => `if (${expression()}) ${block()}${at("branch option").optional(() => ` else ${block()}`) ?? ""}`;
const loopBody = () => `{ ${at("loopBody list").repeat(0, 3, statement).join(" ")} ${at("loopBody option").optional(leaving) ?? ""}}`;
const leaving = () => at("leaving statement").choose(["break; ", "continue; "]);
const whileLoop = () => `while (${expression()}) ${loopBody()}`;
const doLoop = () => `do ${loopBody()} while (${expression()});`;
const forLoop = () => {
  const begin = at("forLoop begin").optional(() => `var ${identifier()} = ${expression()}`) ?? "";
  const [test, step] = [at("forLoop test").optional(expression) ?? "", at("forLoop step").optional(expression) ?? ""];
  return `for (${begin}; ${test}; ${step}) ${loopBody()}`;
};
const forIn = () => `for (var ${identifier()} in ${expression()}) ${loopBody()}`;
const namedFunction = () => `function ${identifier()}(${parameters()}) ${block()}`;
const oneCase = () => `case ${expression()}: ${at("oneCase list").repeat(0, 2, statement).join(" ")} ${at("oneCase option").optional(() => "break; ") ?? ""}`;
const switching = () => `switch (${expression()}) { ${at("switching list").repeat(0, 3, oneCase).join("")}}`;
const trying = () => `try ${block()} catch (${identifier()}) ${block()}${at("trying option").optional(() => ` finally ${block()}`) ?? ""}`;
const letBlock = () => `{ ${at("letBlock keyword").choose(["let", "const"])} ${identifier()} = ${expression()}; ${at("letBlock list").repeat(0, 2, statement).join(" ")} }`;

console.log(at("program list").repeat(1, MOST_STATEMENTS, statement).join("\n"));
