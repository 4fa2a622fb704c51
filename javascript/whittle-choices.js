// Random choices for generators of test inputs in JavaScript, recorded and replayed so that Whittle can reduce those
// inputs. One file without dependencies, for Node; docs/trace-protocol.md specifies how the two communicate.
//
//     const { Source } = require("./whittle-choices.js");
//     const source = Source.fromEnv(7); // a seed, for runs without Whittle
//
//     function tree() {
//       return source.scope("tree", () => { // a recursive function is a scope
//         const name = source.choose(["a", "b", "c"]);
//         const inner = source.optional(() => tree()) ?? "";
//         const numbers = source.repeat(0, 3, () => source.int(0, 99));
//         return `${name}(${inner}${numbers})`;
//       });
//     }
//     console.log(tree());
//
// Choices are identified by their place in the generator's source code. `node -r ./whittle-choices.js generator.js` finds the
// places once, when the code is loaded; without `-r`, each choice takes a stack trace.
//
// Put the simplest first: numbers shrink to the lower end of their range, choices to the first item. A replay chooses the
// recorded item again, wherever it is in the list: items that are text, numbers or booleans are known by their values, others
// by a key that `choose` is given.
"use strict";

const fs = require("fs");
const Module = require("module");
const path = require("path");

const MAGIC = Buffer.from("whittle-trace 2\n");
// Files of the first version have no outputs, and all lengths have 4 bytes.
const MAGIC_1 = Buffer.from("whittle-trace 1\n");
const CALL = 0, LOOP = 1, ITERATION = 2, SELECTION = 3, BRANCH = 4, DRAW = 5;
const COMPLETE = 0, HALTED = 1, OVER_BUDGET = 2;
// Set in the kind of a draw: its value is followed by its output; its numbers have 4 bytes instead of 8.
const WITH_OUTPUT = 0x80, SHORT = 0x40;
// In place of a length: it follows in 4 bytes.
const LONG_RECORD = 255;
// How many bytes are written at once, and the most in a record that is not a site.
const BUFFER_BYTES = 1 << 16, LARGEST_RECORD = 64;
const TWO_TO_32 = 2 ** 32;
const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
// Steps as words: the low byte says what it is, the rest is the number of the site.
const LEAVE_WORD = 0, FINISHED_WORD = 1, INTEGER_WORD = 2, OUTPUT_WORD = 3, ROUND_WORD = 6, OPEN_WORD = 8;
// How many bytes of words are written at once. Most traces are shorter: code that was compiled before the first write has to be
// compiled again after it. Memory that is not used yet costs nothing.
const WORDS_BYTES = 1 << 22;
// A step that begins behind this is the last one in the buffer of words. It has at most 8 numbers, and so has the one before it.
const FULL = WORDS_BYTES / 4 - 16;

/** SplitMix64 (Steele, Lea, Flood, 2014): the numbers of runs without a script. */
class Numbers {
  constructor(seed) {
    this.state = BigInt.asUintN(64, BigInt(seed));
  }

  next() {
    this.state = BigInt.asUintN(64, this.state + 0x9e3779b97f4a7c15n);
    let mixed = this.state;
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return mixed ^ (mixed >> 31n);
  }

  /** A number from 0 to `max`, all equally likely. Draws as many bits as `max` has until they fit. */
  upTo(max) {
    if (max === 0) return 0;
    const unused = BigInt(64 - BigInt(max).toString(2).length);
    for (;;) {
      const number = Number(this.next() >> unused);
      if (number <= max) return number;
    }
  }
}

/** Gives numbers to sites. */
class Sites {
  constructor() {
    this.texts = [];
    this.numbers = new Map();
  }

  named(text) {
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }
}

/** Writes a trace file. */
class Recorder {
  constructor(file, sites) {
    if (file.endsWith(".jsonl")) throw new Error(`${file}: only binary trace files can be written`);
    this.file = fs.openSync(file, "w");
    fs.writeSync(this.file, MAGIC);
    this.sites = sites;
    this.writtenSites = 0;
    this.bytes = new DataView(new ArrayBuffer(BUFFER_BYTES));
    this.used = 0;
  }

  /** Begins a record: tag, length, kind and site. Returns where its numbers begin. */
  step(tag, length, kind, site) {
    if (this.used + LARGEST_RECORD > BUFFER_BYTES) this.flush();
    const at = this.used;
    this.bytes.setUint32(at, tag | (length << 8) | (kind << 16), true);
    this.bytes.setUint32(at + 3, site, true);
    this.used = at + 2 + length;
    return at + 7;
  }

  open(kind, site) {
    this.step(0x4f, 5, kind, site);
  }

  close() {
    if (this.used + LARGEST_RECORD > BUFFER_BYTES) this.flush();
    this.bytes.setUint16(this.used, 0x43, true);
    this.used += 2;
  }

  draw(site, max, value, output) {
    const { bytes } = this;
    const hasOutput = output !== undefined;
    if (max < TWO_TO_32 && (!hasOutput || (output >= 0 && output < TWO_TO_32))) {
      const at = this.step(0x44, hasOutput ? 17 : 13, hasOutput ? WITH_OUTPUT | SHORT : SHORT, site);
      bytes.setUint32(at, max, true);
      bytes.setUint32(at + 4, value, true);
      // Without an output the next record overwrites it.
      bytes.setUint32(at + 8, output, true);
    } else {
      const at = this.step(0x44, hasOutput ? 29 : 21, hasOutput ? WITH_OUTPUT : 0, site);
      bytes.setBigUint64(at, BigInt(max), true);
      bytes.setBigUint64(at + 8, BigInt(value), true);
      if (hasOutput) bytes.setBigInt64(at + 16, BigInt(output), true);
    }
  }

  end(outcome, misaligned, node) {
    const at = this.step(0x5a, 13, outcome, 0);
    this.bytes.setBigUint64(at - 4, BigInt(misaligned), true);
    this.bytes.setUint32(at + 4, node, true);
    this.flush();
  }

  /** Writes the new sites, then the steps: those in the buffer, or these. */
  flush(...steps) {
    const records = this.sites.texts.slice(this.writtenSites).flatMap((text) => {
      const bytes = Buffer.from(text);
      return [longHead(0x53, bytes.length), bytes];
    });
    this.writtenSites = this.sites.texts.length;
    if (steps.length === 0) steps.push(Buffer.from(this.bytes.buffer, 0, this.used));
    writeAll(this.file, [Buffer.concat(records), ...steps]);
    this.used = 0;
  }
}

function longHead(tag, length) {
  const head = Buffer.from([tag, LONG_RECORD, 0, 0, 0, 0]);
  head.writeUInt32LE(length, 2);
  return head;
}

function writeAll(file, parts) {
  for (const part of parts) {
    for (let at = 0; at < part.length; ) at += fs.writeSync(file, part, at);
  }
}

/**
 * Records a run without a script and without a limit. Steps are words, as specified for the record W. Few calls for each step:
 * most of the cost is not the steps, but that V8 compiles each function that takes part, and again where it is inlined.
 */
class Recording {
  constructor(file, sites) {
    this.sites = sites;
    this.script = null;
    this.recorder = new Recorder(file, sites);
    // Each word is two numbers of 32 bits.
    this.words = new Uint32Array(WORDS_BYTES / 4);
    this.used = 0;
    // The sites of the open scopes, and how many are open. Rounds are not among them.
    this.open = [];
    this.depth = 0;
  }

  /** Opens a scope and returns its depth. */
  enter(kind, site) {
    const { words, used, depth } = this;
    words[used] = (site << 8) | (OPEN_WORD + kind);
    this.open[depth] = site;
    this.depth = depth + 1;
    this.used = used + 2;
    if (kind === LOOP) {
      // Its number of rounds was drawn, so it is not open-ended, even if an exception ends it.
      words[used + 2] = (site << 8) | FINISHED_WORD;
      this.used = used + 4;
    }
    if (used > FULL) this.flush();
    return depth;
  }

  /** Closes the scope of this depth, with all scopes that an exception left open in it. */
  leave(depth) {
    let { used } = this;
    for (let open = this.depth; open-- > depth; used += 2) {
      if (used > FULL) used = this.flush();
      this.words[used] = this.open[open] << 8;
    }
    this.used = used;
    this.depth = depth;
  }

  /** Begins a round of the loop of this depth. */
  round(depth) {
    if (this.depth > depth + 1) this.leave(depth + 1);
    const { used } = this;
    this.words[used] = (this.open[depth] << 8) | ROUND_WORD;
    this.used = used + 2;
    if (used > FULL) this.flush();
  }

  /** Records a draw that stands for `output`, if that is known. */
  draw(site, max, value, output) {
    const { words, used } = this;
    words[used + 2] = max;
    words[used + 4] = value;
    if (max >= TWO_TO_32) {
      words[used + 3] = max / TWO_TO_32;
      words[used + 5] = value / TWO_TO_32;
    }
    if (output === undefined) {
      words[used] = (site << 8) | INTEGER_WORD;
      this.used = used + 6;
    } else {
      words[used] = (site << 8) | OUTPUT_WORD;
      words[used + 6] = output;
      if (output < 0 || output >= TWO_TO_32) words[used + 7] = Math.floor(output / TWO_TO_32);
      this.used = used + 8;
    }
    if (used > FULL) this.flush();
  }

  flush() {
    const words = Buffer.from(this.words.buffer, 0, this.used * 4);
    this.recorder.flush(longHead(0x57, words.length), IS_LITTLE_ENDIAN ? words : words.swap32());
    this.words.fill(0, 0, this.used);
    return (this.used = 0);
  }

  end() {
    this.flush();
    this.recorder.end(COMPLETE, 0, 0);
  }
}

/** What a run should replay: steps by number, the first being the whole run, and what to draw where no step matches. */
class Script {
  constructor(file, sites) {
    const bytes = fs.readFileSync(file);
    const starts = (magic) => bytes.subarray(0, magic.length).equals(magic);
    const isFirstVersion = starts(MAGIC_1);
    if (!isFirstVersion && !starts(MAGIC)) throw new Error(`${file} is not a binary trace file`);
    this.nodes = [];
    this.defaults = new Map();
    this.add(null, null, null);
    this.sites = sites;
    this.known = [];
    const open = [this.nodes[0]];
    let at = MAGIC.length;
    while (at + 6 <= bytes.length || (at + 2 <= bytes.length && !isFirstVersion)) {
      const isLong = isFirstVersion || bytes[at + 1] === LONG_RECORD;
      const rest = isFirstVersion ? at + 5 : isLong ? at + 6 : at + 2;
      if (rest > bytes.length) break;
      const end = rest + (isLong ? bytes.readUInt32LE(rest - 4) : bytes[at + 1]);
      if (end > bytes.length) break;
      this.read(String.fromCharCode(bytes[at]), bytes.subarray(rest, end), open);
      at = end;
    }
  }

  read(tag, rest, open) {
    const site = (from) => this.known[rest.readUInt32LE(from)];
    const within = open[open.length - 1];
    if (tag === "S") this.known.push(this.sites.named(rest.toString()));
    else if (tag === "O") open.push(this.add(within, keyOf(rest[0], site(1)), null));
    else if (tag === "C" && open.length > 1) open.pop();
    else if (tag === "D") this.add(within, keyOf(DRAW, site(1)), drawn(rest));
    else if (tag === "V" && rest.length === 12) this.defaults.set(site(0), Number(rest.readBigUInt64LE(4)));
  }

  add(within, key, drawn) {
    const node = { number: this.nodes.length, drawn, children: [], waiting: new Map(), occurred: false };
    this.nodes.push(node);
    if (within === null) return node;
    within.children.push(node);
    if (!within.waiting.has(key)) within.waiting.set(key, { nodes: [], met: 0 });
    within.waiting.get(key).nodes.push(node);
    return node;
  }
}

/** Kind and site as one number. */
function keyOf(kind, site) {
  return site * 8 + kind;
}

/** The value and output of a draw, if it is of one number. Unsafe integers are larger than any maximum. */
function drawn(rest) {
  const isShort = rest[0] & SHORT;
  const [width, count] = [isShort ? 4 : 8, rest[0] & WITH_OUTPUT ? 3 : 2];
  if (rest.length !== 5 + count * width) return null;
  const at = (place) => 5 + place * width;
  const value = isShort ? rest.readUInt32LE(at(1)) : Number(rest.readBigUInt64LE(at(1)));
  if (count === 2) return { value, output: undefined };
  return { value, output: isShort ? rest.readUInt32LE(at(2)) : Number(rest.readBigInt64LE(at(2))) };
}

/** The number up to `max` that stands for the output of a recorded draw, or -1. `outputs` is as in `Player.draw`. */
function find({ value, output }, max, outputs) {
  let found = value;
  if (output !== undefined && typeof outputs === "number") found = output - outputs;
  else if (output !== undefined && outputs !== null && !(value <= max && outputs(value) === output)) {
    for (found = 0; found <= max && outputs(found) !== output; ) found += 1;
  }
  return found >= 0 && found <= max ? found : -1;
}

/** Records a run that replays a script, or has a limit of draws. */
class Player {
  constructor(record, sites, replay, halts, budget) {
    this.sites = sites;
    this.script = replay ? new Script(replay, this.sites) : null;
    this.recorder = new Recorder(record, this.sites);
    this.halts = halts;
    this.budget = budget;
    this.draws = this.misaligned = 0;
    this.ended = false;
    this.anyRound = sites.named("");
    // What each open scope is matched to, the whole run first.
    this.open = [this.script ? this.script.nodes[0] : null];
  }

  enter(kind, site) {
    this.open.push(this.fit(kind, site));
    this.recorder.open(kind, site);
    return this.open.length - 1;
  }

  /** Begins a round of the loop of this depth. */
  round(depth) {
    this.leave(depth + 1);
    this.enter(ITERATION, this.anyRound);
  }

  /** Closes the scope of this depth, with all scopes that an exception left open in it. */
  leave(depth) {
    while (this.open.length > depth) {
      this.recorder.close();
      this.checkAllCame(this.open.pop());
    }
  }

  /**
   * Draws a number from 0 to `max`, from `own` if there is no script. `outputs` is what the numbers stand for: null if
   * nothing is known, the number that 0 stands for, or a function that returns a fingerprint or undefined.
   */
  draw(site, max, outputs, own) {
    this.draws += 1;
    if (this.draws > this.budget) this.stop(OVER_BUDGET, 0);
    const value = this.script ? this.told(site, max, outputs) : own();
    const output = outputs === null ? undefined : typeof outputs === "number" ? outputs + value : outputs(value);
    this.recorder.draw(site, max, value, output);
    return value;
  }

  told(site, max, outputs) {
    const fitting = this.fit(DRAW, site);
    const recorded = fitting ? fitting.drawn : null;
    const found = recorded === null ? -1 : find(recorded, max, outputs);
    if (found >= 0) return found;
    if (this.halts) this.stop(HALTED, fitting ? fitting.number : 0);
    this.misaligned += 1;
    return Math.min(recorded === null ? this.script.defaults.get(site) ?? 0 : recorded.value, max);
  }

  /** The n-th step of the same kind and site within what the scope is matched to. */
  fit(kind, site) {
    const scope = this.open[this.open.length - 1];
    if (scope === null) return null;
    const waiting = scope.waiting.get(keyOf(kind, site));
    if (waiting && waiting.met < waiting.nodes.length) {
      const node = waiting.nodes[waiting.met++];
      node.occurred = true;
      return node;
    }
    if (this.halts) this.stop(HALTED, scope.number);
    return null;
  }

  /** Ends a scope. Under `halt` all its steps must have occurred. */
  checkAllCame(scope) {
    const missing = this.halts && scope && scope.children.find((node) => !node.occurred);
    if (missing) this.stop(HALTED, missing.number);
  }

  /** Exits the program: its output is not needed. */
  stop(outcome, number) {
    this.ended = true;
    this.recorder.end(outcome, this.misaligned, number);
    process.exit(0);
  }

  end() {
    if (this.ended) return;
    this.leave(1);
    this.checkAllCame(this.open.pop());
    this.ended = true;
    this.recorder.end(COMPLETE, this.misaligned, 0);
  }
}

/** A place in the generator's source code, and the numbers of its two sites at most: a draw and a scope. */
class Place {
  constructor(text, sites) {
    this.text = text;
    this.sites = sites;
    this.draw = this.scope = -1;
  }

  drawSite(what) {
    if (this.draw < 0) this.draw = this.sites.named(`${what} ${this.text}`);
    return this.draw;
  }

  scopeSite(what) {
    if (this.scope < 0) this.scope = this.sites.named(`${what} ${this.text}`);
    return this.scope;
  }
}

const firstOf = (_, places) => places[0];
const places = new Map();

/** The place where `method` was called. Only the first time is it asked for its line, which takes long. */
function placeOf(method, sites) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder = {};
  Error.stackTraceLimit = 1;
  Error.prepareStackTrace = firstOf;
  Error.captureStackTrace(holder, method);
  // The stack is computed when it is first read.
  const call = holder.stack;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  const file = call.getFileName() ?? "";
  let inFile = places.get(file);
  if (inFile === undefined) places.set(file, (inFile = new Map()));
  const position = call.getPosition();
  let place = inFile.get(position);
  if (place === undefined) {
    place = new Place(placeText(file, call.getLineNumber(), call.getColumnNumber()), sites);
    inFile.set(position, place);
  }
  return place;
}

let root = null;

function placeText(file, line, column) {
  // `require.main` is not known yet to a module that is loaded by `-r`.
  root ??= path.dirname(process.mainModule?.filename ?? path.resolve("_"));
  return `${path.relative(root, file)}:${line}:${column}`;
}

// The next thing that matters: a comment, a string, where templates, their parts and blocks begin and end, a slash, or a call.
const NEXT =
  /\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[`{}/]|\.\.\.|\.\s*(?=(?:int|choose|weighted|repeat|optional)\s*\()/g;
const TEMPLATE = /(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y;
const REGULAR_EXPRESSION = /(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+\/[\w$]*/y;
// What is before a slash: a regular expression follows, or a division. With other words and brackets, it may be either.
const BEFORE_EXPRESSION = /(?:^|[^\s\w$)\]}"'`+-]|(?:^|[^\w$.])(?:return|typeof|case))[ \t]*$/;
const BEFORE_DIVISION = /[\w$\]][ \t]*$/;
const BEFORE_EITHER = /(?:^|[^\w$.])(?:of|in|do|else|instanceof|new|void|delete|throw|yield|await)[ \t]*$/;

/** How many calls were told their places. */
let told = 0;

/** Code in which each call of a choice passes its place; null if it is not clear what is code and what is text. */
function withPlaces(code, file) {
  // The blocks and templates that are open.
  const open = [];
  let [out, copied, line, lineStart] = ["", 0, 1, 0];
  const tell = (name) => {
    for (let end; (end = code.indexOf("\n", lineStart)) >= 0 && end < name; line++) lineStart = end + 1;
    const place = placeText(file, line, name - lineStart + 1);
    out += `${code.slice(copied, name)}$whittlePlace(${told++}, ${JSON.stringify(place)}).`;
    copied = name;
  };
  NEXT.lastIndex = code.startsWith("#!") ? code.indexOf("\n") + 1 : 0;
  for (let found; (found = NEXT.exec(code)); ) {
    const { index: at, 0: token } = found;
    if (token === "{") open.push("{");
    else if (token === "`" || (token === "}" && open.pop() === "`")) {
      // Text up to its end, or up to code within it.
      TEMPLATE.lastIndex = NEXT.lastIndex;
      const text = TEMPLATE.exec(code)?.[0];
      if (text === undefined) return null;
      if (text.endsWith("{")) open.push("`");
      NEXT.lastIndex = TEMPLATE.lastIndex;
    } else if (token === "/") {
      const before = code.slice(Math.max(0, at - 20), at);
      const rest = code.slice(at + 1).split("\n", 1)[0];
      if (BEFORE_EXPRESSION.test(before)) {
        REGULAR_EXPRESSION.lastIndex = at + 1;
        if (!REGULAR_EXPRESSION.test(code)) return null;
        NEXT.lastIndex = REGULAR_EXPRESSION.lastIndex;
      } else if (rest.includes("/") && (!BEFORE_DIVISION.test(before) || BEFORE_EITHER.test(before))) return null;
    } else if (token[0] === "." && token !== "..." && !code.slice(0, at).endsWith("super")) tell(NEXT.lastIndex);
  }
  return out + code.slice(copied);
}

/** Tells calls of choices their places in all modules that are loaded from now on, except this one and dependencies. */
function tellPlaces() {
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (code, file, ...rest) {
    const isOwn = file !== __filename && !file.includes(`${path.sep}node_modules${path.sep}`);
    return compile.call(this, (isOwn && withPlaces(String(code), file)) || code, file, ...rest);
  };
  // Others may have methods of these names.
  Object.defineProperty(Object.prototype, "$whittlePlace", {
    value() {
      return this;
    },
  });
}

/** A number for an item that is equal for equal items in every run; undefined if that is unknown. */
function fingerprintOf(item) {
  if (typeof item === "function" || typeof item === "symbol" || (typeof item === "object" && item !== null)) {
    return undefined;
  }
  if (typeof item === "number" && Number.isSafeInteger(item)) return item;
  // FNV-1a with 32 bits.
  const text = String(item);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

const itself = (item) => item;

/** What the places in a list of items stand for. */
function outputsOf(items, key) {
  return (place) => fingerprintOf(key(items[place]));
}

function taken(what) {
  const value = process.env[`WHITTLE_TRACE_${what}`];
  // They do not apply to programs that this one starts.
  delete process.env[`WHITTLE_TRACE_${what}`];
  return value;
}

/** Where a generator gets its random choices from. */
class Source {
  constructor(seed, player) {
    this.numbers = new Numbers(seed);
    this.player = player;
    this.isRecording = player instanceof Recording;
    // Set by `at`.
    this.spot = null;
    this.named = new Map();
    this.told = [];
    this.then = player && player.sites.named("then");
  }

  /** Draws from `seed`. Records, or replays a trace instead, if the environment asks for it. */
  static fromEnv(seed) {
    const [record, replay, misfit, budget] = ["RECORD", "REPLAY", "MISFIT", "BUDGET"].map(taken);
    if (!record) return Source.seeded(seed);
    const sites = new Sites();
    const player =
      replay || budget
        ? new Player(record, sites, replay, misfit === "halt", budget ? Number(budget) : Infinity)
        : new Recording(record, sites);
    process.on("exit", () => player.end());
    return new Source(seed, player);
  }

  /** Draws from `seed` and ignores the environment. */
  static seeded(seed) {
    return new Source(seed, null);
  }

  /** A number from `low` to `high`. */
  int(low, high) {
    const max = high - low;
    if (!Number.isSafeInteger(max) || max < 0) throw new RangeError(`invalid range from ${low} to ${high}`);
    if (this.player === null) return low + this.numbers.upTo(max);
    return low + this.number(this.site(this.int, "int"), max, low);
  }

  /**
   * One of the items. A replay chooses the item whose key is the recorded one, wherever it is now. A key is text, a
   * number or a boolean; items that have none are chosen by their place.
   */
  choose(items, key = itself) {
    const max = items.length - 1;
    if (max < 0) throw new RangeError("there is nothing to choose from");
    if (this.player === null) return items[this.numbers.upTo(max)];
    const site = this.site(this.choose, "choose");
    if (!this.isRecording) return items[this.replay(site, max, outputsOf(items, key))];
    const place = this.numbers.upTo(max);
    const item = items[place];
    this.player.draw(site, max, place, fingerprintOf(key === itself ? item : key(item)));
    return item;
  }

  /** One of the items in a list of [weight, item], with probabilities in proportion to the weights. */
  weighted(pairs, key = itself) {
    let total = 0;
    for (let place = 0; place < pairs.length; place++) total += pairs[place][0];
    if (!(total > 0)) throw new RangeError("there is nothing to choose from");
    if (this.player === null) return pairs[this.weighed(pairs, total)][1];
    const site = this.site(this.weighted, "weighted");
    if (!this.isRecording) return this.replayWeighted(site, pairs, total, key);
    const place = this.weighed(pairs, total);
    const item = pairs[place][1];
    this.player.draw(site, pairs.length - 1, place, fingerprintOf(key === itself ? item : key(item)));
    return item;
  }

  /** Runs `body` at least `least` and at most `most` times, and collects the results. */
  repeat(least, most, body) {
    if (!(least <= most)) throw new RangeError(`invalid range from ${least} to ${most}`);
    const { player } = this;
    const results = [];
    if (player === null) {
      for (let left = least + this.numbers.upTo(most - least); left > 0; left--) results.push(body());
      return results;
    }
    const place = this.place(this.repeat);
    const count = least + this.number(place.drawSite("count"), most - least, least);
    const loop = player.enter(LOOP, place.scopeSite("repeat"));
    for (let left = count; left > 0; left--) {
      player.round(loop);
      results.push(body());
    }
    player.leave(loop);
    return results;
  }

  /** Runs `body` or not, and returns its result or undefined. */
  optional(body) {
    const { player } = this;
    if (player === null) return this.numbers.upTo(1) ? body() : undefined;
    const place = this.place(this.optional);
    const selection = player.enter(SELECTION, place.scopeSite("optional"));
    const result = this.number(place.drawSite("whether"), 1, null) ? this.within(BRANCH, this.then, body) : undefined;
    player.leave(selection);
    return result;
  }

  /**
   * Names the place of a choice, as in `source.at("operator").choose("+-*")`. Without a name, and without `-r`, the place is
   * found by a stack trace, which takes most of the time of recording. The name must be used in one place only.
   */
  at(name) {
    if (this.player === null) return this;
    let there = this.named.get(name);
    if (there === undefined) {
      there = Object.create(this);
      there.spot = new Place(name, this.player.sites);
      this.named.set(name, there);
    }
    return there;
  }

  /** What `-r` adds to calls of choices: a number, and the place. Names that they have already stay. */
  $whittlePlace(number, text) {
    if (this.spot !== null || this.player === null) return this;
    return this.told[number] ?? (this.told[number] = this.at(text));
  }

  /** Runs `body` as a scope called `name`, such as the calling function. Its choices are reduced together. */
  scope(name, body) {
    const { player } = this;
    if (player === null) return body();
    const depth = player.enter(CALL, player.sites.named(name));
    const result = body();
    player.leave(depth);
    return result;
  }

  /** The number of the site of the draw that `method` makes. */
  site(method, what) {
    const { spot } = this;
    return spot !== null && spot.draw >= 0 ? spot.draw : this.place(method).drawSite(what);
  }

  /** The place of the choice that `method` makes. */
  place(method) {
    return this.spot ?? placeOf(method, this.player.sites);
  }

  /** The place of an item, chosen by weight. */
  weighed(pairs, total) {
    let place = -1;
    for (let left = this.numbers.upTo(total - 1); left >= 0; ) left -= pairs[++place][0];
    return place;
  }

  replayWeighted(site, pairs, total, key) {
    const outputs = outputsOf(pairs.map(([, item]) => item), key);
    return pairs[this.player.draw(site, pairs.length - 1, outputs, () => this.weighed(pairs, total))][1];
  }

  /** A number from 0 to `max`, from the script if there is one. */
  replay(site, max, outputs) {
    return this.player.draw(site, max, outputs, () => this.numbers.upTo(max));
  }

  within(kind, site, body) {
    const depth = this.player.enter(kind, site);
    const result = body();
    this.player.leave(depth);
    return result;
  }

  /** A number from 0 to `max` where 0 stands for `low`, if that is known. */
  number(site, max, low) {
    if (!this.isRecording) return this.replay(site, max, low);
    const value = this.numbers.upTo(max);
    this.player.draw(site, max, value, low === null ? undefined : low + value);
    return value;
  }
}

if (module.parent?.id === "internal/preload" && process.env.WHITTLE_TRACE_RECORD) tellPlaces();

module.exports = { Source };
