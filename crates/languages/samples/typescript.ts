// A typed store.
import type { Reader } from "./reader";
import { readFile } from 'fs/promises';

export interface Store<K extends string = string, V = unknown> {
  readonly size: number;
  get(key: K): V | undefined;
  set?: (key: K, value: V) => void;
  [extra: string]: any;
}

type Keys<T> = { readonly [P in keyof T]?: T[P] extends Function ? never : P }[keyof T];
type Pair = [first: string, second?: number, ...rest: boolean[]];
declare module "reader" { export function open(path: string): Reader; }
enum Level { Low = 1, High = Low << 2 }
const enum Flag { A = "a" }

namespace Tools {
  export function isText(value: unknown): value is string {
    return typeof value === "string";
  }
}

@sealed
abstract class Memory<V> implements Store<string, V> {
  private static count: number = 0;
  constructor(protected readonly items: Map<string, V>, public name?: string) {}
  get size(): number { return this.items.size; }
  get(key: string): V | undefined { return this.items.get(key)!; }
  abstract clear(): Promise<void>;
  find<T extends V>(test: (v: V) => boolean, ...more: T[]): V[] {
    const out = [] as V[];
    for (const [, v] of this.items) if (test(v)) out.push(v);
    return out satisfies V[];
  }
}

export async function load(path: string, level: Level = Level.High): Promise<Pair> {
  const text: string = await readFile(path, { encoding: "utf8" });
  let n = <number>text.length;
  if (Tools.isText(text) && n > 0) throw new Error(`${path}: ${n ?? 0}`);
  return ["a", n!, true];
}
