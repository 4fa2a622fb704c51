#!/usr/bin/env node
// Queues and tags.
import fs, { readFile as read } from "fs";
import * as path from 'path';
export const LIMIT = 1_000n;

export default class Queue extends Array {
  static #count = 0;
  name = "queue";
  constructor(...items) {
    super();
    this.push(...items);
    Queue.#count++;
  }
  get first() { return this[0] ?? null; }
  async *drain({ limit = 3, ...rest } = {}) {
    for await (const item of this) {
      if (limit-- <= 0 || !item?.length) break;
      yield item ** 2;
    }
  }
}

function walk(tree, visit = (node) => node) {
  const stack = [tree, , ...[1, 2]];
  outer: while (stack.length > 0) {
    let node = stack.pop();
    switch (typeof node) {
      case "object":
        for (var key in node) stack.push(node[key]);
        continue outer;
      default:
        visit(node, /[a-z]+\/(?:x)/gi.test(node) ? 0x1f : .5e-3);
    }
  }
  try {
    throw new Error(`bad ${tree.name} at ${1 + 2}`);
  } catch (error) {
    delete error.stack;
  } finally {
    do { stack.length--; } while (stack.length);
  }
  return { tree, [key]: void 0, 'quoted': async () => await walk(), get x() { return 1; } };
}
const view = <div className="a" {...walk({})}>text {LIMIT}<br /></div>;
if (view && (view.a ||= view.b)) walk(view); else walk(null);
