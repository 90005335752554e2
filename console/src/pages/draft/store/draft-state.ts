import type { Draft, JsonObject } from "@toolhost/contract";
import type { Json } from "#lib/json";
import type { LocalCopy } from "./local-copies.ts";

type SaveStatus = "saved" | "waiting" | "saving" | "offline" | "refused" | "conflict" | "ended";

/** The state of a draft that the editor shows. */
export type DraftState = {
  definition: JsonObject;
  /** Invalid JSON as it was typed, by its path in the definition. It is stored in this browser only. */
  texts: Readonly<Record<string, string>>;
  /** The last known revision of the stored draft. */
  revision: number;
  status: SaveStatus;
  /** Why the save was refused, or is retried although the service is reachable. */
  problem?: string | undefined;
  /** The version saved elsewhere, while there is a conflict to resolve. */
  theirs?: Draft;
  /** False when the browser storage is full. */
  isStoredLocally: boolean;
};

/** Fields of a definition to set; undefined removes a field. */
export type Patch = Readonly<Record<string, Json | undefined>>;

/** The state of a newly opened draft, combined with the copy in this browser. */
export function firstState(draft: Draft, copy: LocalCopy | undefined): DraftState {
  const { definition, revision } = draft;
  const base = { definition, texts: {}, revision, status: "saved", isStoredLocally: true } as const;
  if (copy === undefined) return base;
  const { texts } = copy;
  if (isSameText(copy.definition, definition)) return { ...base, texts };
  const mine = { ...base, texts, definition: copy.definition };
  return copy.revision === revision
    ? { ...mine, status: "waiting" }
    : { ...mine, status: "conflict", theirs: draft };
}

/** Whether two values serialize to the same text. The order of fields counts, because the form follows it. */
export function isSameText(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the definition with the patch applied. */
export function applyPatch(definition: JsonObject, patch: Patch): JsonObject {
  const next: JsonObject = {};
  for (const [name, value] of Object.entries({ ...definition, ...patch }))
    if (value !== undefined) next[name] = value;
  return next;
}

/** Returns the texts with one set, or removed. */
export function withText(
  texts: DraftState["texts"],
  path: string,
  text: string | undefined,
): DraftState["texts"] {
  const { [path]: _old, ...others } = texts;
  return text === undefined ? others : { ...others, [path]: text };
}

/** Returns the state without a conflict. */
export function withoutTheirs(state: DraftState): DraftState {
  const { theirs: _theirs, ...rest } = state;
  return rest;
}
