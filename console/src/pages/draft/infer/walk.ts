import type { JsonObject } from "@toolhost/contract";
import type { ReadContext, Type } from "./compiler.ts";
import type { Inference } from "./inference.ts";

/** The state while one type is read. */
export type Walk = ReadContext & {
  notes: Inference["notes"];
  parts: number;
  /** Types being read, which nested types may refer to. */
  open: Set<Type>;
  /** Names of recursive types. */
  named: Map<Type, string>;
  defs: Map<string, JsonObject>;
  read: (walk: Walk, type: Type, path: string, depth: number) => JsonObject;
};

/** Adds a note about a path, and returns a schema that accepts any value. */
export function note({ notes }: Walk, path: string, message: string): JsonObject {
  notes.push({ path, message });
  return {};
}

/** Whether a type has any of the flags. */
export function is(type: Type, flags: number): boolean {
  return (type.flags & flags) !== 0;
}
