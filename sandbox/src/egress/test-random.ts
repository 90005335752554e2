import { redactionOf } from "./redaction.ts";
import type { SecretsOfRun } from "./secrets.ts";

export type Random = () => number;

/** A seeded random number generator, so that a failure can be reproduced. */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: Random, items: readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("The list is empty");
  return item;
};
export const upTo = (random: Random, most: number) => Math.floor(random() * (most + 1));

const ALPHABETS = [
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_",
  "abc",
  '"\\/%+&=u0041x{} \n\t',
  "äöüß€漢字🔑🎉é",
  '09afAF%\\u"+ ',
].map((alphabet) => Array.from(alphabet));

/** A random value of characters that escapes and encodings treat differently. */
export function secretOf(random: Random): string {
  const alphabet = pick(random, ALPHABETS);
  const length = 8 + upTo(random, 60);
  return Array.from({ length }, () => pick(random, alphabet)).join("");
}

/** Splits bytes at random offsets. */
export function partsOf(bytes: Buffer, random: Random): Buffer[] {
  const most = pick(random, [1, 3, 20, 1_000]);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + upTo(random, most - 1);
    parts.push(bytes.subarray(at, at + size));
    at += size;
  }
  return parts;
}

/** The value as a run's only credential: exposed, and allowed for no host. */
export function onlySecret(value: string): SecretsOfRun {
  return [
    {
      name: "KEY",
      value,
      placeholder: "p",
      hosts: [[]],
      declared: [[]],
      uses: new Map(),
      pairs: new Map(),
      isExposed: true,
    },
  ];
}

/** What a tool receives of a response body that arrives in parts. */
export async function redactedStream(value: string, parts: readonly Buffer[]): Promise<string> {
  const [stage] = redactionOf(undefined, onlySecret(value), "host", Infinity);
  if (stage === undefined) throw new Error("redactionOf returned no stages");
  for (const part of parts) stage.write(part);
  stage.end();
  const out: Buffer[] = [];
  for await (const part of stage) out.push(part as Buffer);
  return Buffer.concat(out).toString();
}
