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
// Choices are identified by their place in the generator's source code. Put the simplest first: numbers shrink to the
// lower end of their range, choices to the first item.
"use strict";

const fs = require("fs");
const path = require("path");

const MAGIC = Buffer.from("whittle-trace 1\n");
const CALL = 0, LOOP = 1, ITERATION = 2, SELECTION = 3, BRANCH = 4, DRAW = 5;
const COMPLETE = 0, HALTED = 1, OVER_BUDGET = 2;
// How many bytes are buffered before they are written.
const CHUNK = 1 << 16;

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

/** Writes a trace file. */
class Recorder {
  constructor(file) {
    if (file.endsWith(".jsonl")) throw new Error(`${file}: only binary trace files can be written`);
    this.file = fs.openSync(file, "w");
    this.parts = [MAGIC];
    this.size = 0;
    this.sites = new Map();
  }

  record(tag, length) {
    const bytes = Buffer.alloc(5 + length);
    bytes.write(tag, 0);
    bytes.writeUInt32LE(length, 1);
    this.parts.push(bytes);
    this.size += bytes.length;
    if (this.size > CHUNK) {
      // The last one is not yet full.
      this.parts.pop();
      this.flush();
      this.parts.push(bytes);
    }
    return bytes;
  }

  site(text) {
    let number = this.sites.get(text);
    if (number === undefined) {
      number = this.sites.size;
      this.sites.set(text, number);
      const bytes = Buffer.from(text);
      bytes.copy(this.record("S", bytes.length), 5);
    }
    return number;
  }

  open(kind, site) {
    const number = this.site(site);
    const bytes = this.record("O", 5);
    bytes.writeUInt8(kind, 5);
    bytes.writeUInt32LE(number, 6);
  }

  close() {
    this.record("C", 0);
  }

  draw(site, max, value) {
    const number = this.site(site);
    const bytes = this.record("D", 21);
    bytes.writeUInt32LE(number, 6);
    bytes.writeBigUInt64LE(BigInt(max), 10);
    bytes.writeBigUInt64LE(BigInt(value), 18);
  }

  end(outcome, misaligned, node) {
    const bytes = this.record("Z", 13);
    bytes.writeUInt8(outcome, 5);
    bytes.writeBigUInt64LE(BigInt(misaligned), 6);
    bytes.writeUInt32LE(node, 14);
    this.flush();
  }

  flush() {
    fs.writeSync(this.file, Buffer.concat(this.parts));
    this.parts = [];
    this.size = 0;
  }
}

/** What a run should replay: steps by number, the first being the whole run, and what to draw where no step matches. */
class Script {
  constructor(file) {
    const bytes = fs.readFileSync(file);
    if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error(`${file} is not a binary trace file`);
    this.nodes = [];
    this.defaults = new Map();
    this.add(null, null, null);
    const sites = [];
    const open = [this.nodes[0]];
    let at = MAGIC.length;
    while (at + 5 <= bytes.length) {
      const end = at + 5 + bytes.readUInt32LE(at + 1);
      if (end > bytes.length) break;
      this.read(String.fromCharCode(bytes[at]), bytes.subarray(at + 5, end), sites, open);
      at = end;
    }
  }

  read(tag, rest, sites, open) {
    const site = (from) => sites[rest.readUInt32LE(from)];
    const within = open[open.length - 1];
    if (tag === "S") sites.push(rest.toString());
    else if (tag === "O") open.push(this.add(within, `${rest[0]} ${site(1)}`, null));
    else if (tag === "C" && open.length > 1) open.pop();
    else if (tag === "D") this.add(within, `${DRAW} ${site(1)}`, single(rest, 13));
    else if (tag === "V" && single(rest, 4) !== null) this.defaults.set(site(0), single(rest, 4));
  }

  add(within, key, value) {
    const node = { number: this.nodes.length, value, children: [], waiting: new Map(), occurred: false };
    this.nodes.push(node);
    if (within === null) return node;
    within.children.push(node);
    if (!within.waiting.has(key)) within.waiting.set(key, { nodes: [], met: 0 });
    within.waiting.get(key).nodes.push(node);
    return node;
  }
}

/** The number at the end of a record, if there is exactly one. Unsafe integers are larger than any maximum. */
function single(rest, from) {
  return rest.length === from + 8 ? Number(rest.readBigUInt64LE(from)) : null;
}

/** Records a run, and replays a script if there is one. */
class Player {
  constructor(record, replay, halts, budget) {
    this.recorder = new Recorder(record);
    this.script = replay ? new Script(replay) : null;
    this.halts = halts;
    this.budget = budget;
    this.draws = this.misaligned = 0;
    this.ended = false;
    // What each open scope is matched to, the whole run first.
    this.open = [this.script ? this.script.nodes[0] : null];
  }

  enter(kind, site) {
    this.open.push(this.fit(kind, site));
    this.recorder.open(kind, site);
    return this.open.length - 1;
  }

  /** Closes the scope of this depth, with all scopes that an exception left open in it. */
  leave(depth) {
    while (this.open.length > depth) {
      this.recorder.close();
      this.checkAllCame(this.open.pop());
    }
  }

  /** Draws a number from 0 to `max`, from `own` if there is no script. */
  draw(site, max, own) {
    this.draws += 1;
    if (this.draws > this.budget) this.stop(OVER_BUDGET, 0);
    const value = this.script ? this.told(site, max) : own();
    this.recorder.draw(site, max, value);
    return value;
  }

  told(site, max) {
    const fitting = this.fit(DRAW, site);
    const value = fitting ? fitting.value : null;
    if (value !== null && value <= max) return value;
    if (this.halts) this.stop(HALTED, fitting ? fitting.number : 0);
    this.misaligned += 1;
    return Math.min(value ?? this.script.defaults.get(site) ?? 0, max);
  }

  /** The n-th step of the same kind and site within what the scope is matched to. */
  fit(kind, site) {
    const scope = this.open[this.open.length - 1];
    if (scope === null) return null;
    const waiting = scope.waiting.get(`${kind} ${site}`);
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

  finish() {
    if (this.ended) return;
    this.leave(1);
    this.checkAllCame(this.open.pop());
    this.ended = true;
    this.recorder.end(COMPLETE, this.misaligned, 0);
  }
}

/** Names the place in the generator's source code where `method` was called. */
function siteOf(what, method) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder = {};
  Error.stackTraceLimit = 1;
  Error.prepareStackTrace = (_, [place]) =>
    `${what} ${shortened(place.getFileName() ?? "")}:${place.getLineNumber()}:${place.getColumnNumber()}`;
  Error.captureStackTrace(holder, method);
  // The stack is computed when it is first read.
  const site = holder.stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return site;
}

const ROOT = path.dirname(require.main?.filename ?? path.resolve("_"));
const shortNames = new Map();

/** A file's path relative to the program's folder. */
function shortened(file) {
  if (!shortNames.has(file)) shortNames.set(file, path.relative(ROOT, file));
  return shortNames.get(file);
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
  }

  /** Draws from `seed`. Records, or replays a trace instead, if the environment asks for it. */
  static fromEnv(seed) {
    const [record, replay, misfit, budget] = ["RECORD", "REPLAY", "MISFIT", "BUDGET"].map(taken);
    if (!record) return Source.seeded(seed);
    const player = new Player(record, replay, misfit === "halt", budget ? Number(budget) : Infinity);
    process.on("exit", () => player.finish());
    return new Source(seed, player);
  }

  /** Draws from `seed` and ignores the environment. */
  static seeded(seed) {
    return new Source(seed, null);
  }

  /** A number from `low` to `high`. */
  int(low, high) {
    if (!Number.isSafeInteger(high - low) || low > high) throw new RangeError(`invalid range from ${low} to ${high}`);
    return low + this.draw("int", this.int, high - low);
  }

  /** One of the items. */
  choose(items) {
    if (items.length === 0) throw new RangeError("there is nothing to choose from");
    return items[this.draw("choose", this.choose, items.length - 1)];
  }

  /** One of the items in a list of [weight, item], with probabilities in proportion to the weights. */
  weighted(pairs) {
    const total = pairs.reduce((sum, [weight]) => sum + weight, 0);
    if (!(total > 0)) throw new RangeError("there is nothing to choose from");
    const own = () => {
      let left = this.numbers.upTo(total - 1);
      return pairs.findIndex(([weight]) => (left -= weight) < 0);
    };
    return pairs[this.draw("weighted", this.weighted, pairs.length - 1, own)][1];
  }

  /** Runs `body` at least `least` and at most `most` times, and collects the results. */
  repeat(least, most, body) {
    if (!(least <= most)) throw new RangeError(`invalid range from ${least} to ${most}`);
    const count = least + this.draw("count", this.repeat, most - least);
    return this.within(LOOP, this.player && siteOf("repeat", this.repeat), () =>
      Array.from({ length: count }, () => this.within(ITERATION, "", body)),
    );
  }

  /** Runs `body` or not, and returns its result or undefined. */
  optional(body) {
    return this.within(SELECTION, this.player && siteOf("optional", this.optional), () =>
      this.draw("whether", this.optional, 1) ? this.within(BRANCH, "then", body) : undefined,
    );
  }

  /** Runs `body` as a scope called `name`, such as the calling function. Its choices are reduced together. */
  scope(name, body) {
    return this.within(CALL, name, body);
  }

  within(kind, site, body) {
    if (!this.player) return body();
    const depth = this.player.enter(kind, site);
    const result = body();
    this.player.leave(depth);
    return result;
  }

  draw(what, method, max, own = () => this.numbers.upTo(max)) {
    return this.player ? this.player.draw(siteOf(what, method), max, own) : own();
  }
}

module.exports = { Source };
