import type { JsonObject } from "@toolhost/contract";
import type { Reading, Type } from "./compiler.ts";
import type { Inference } from "./inference.ts";

/** What is known while one type is read. */
export type Walk = Reading & {
  notes: Inference["notes"];
  parts: number;
  /** Types whose schema is being made, which those below may come back to. */
  open: Set<Type>;
  /** Names of types that were come back to. */
  named: Map<Type, string>;
  defs: Map<string, JsonObject>;
  read: (walk: Walk, type: Type, place: string, depth: number) => JsonObject;
};

/** Notes what is to be said of a place, where anything is taken then. */
export function note({ notes }: Walk, place: string, message: string): JsonObject {
  notes.push({ place, message });
  return {};
}

/** Whether a type is of a kind. */
export function is(type: Type, flags: number): boolean {
  return (type.flags & flags) !== 0;
}
