import type { Draft, JsonObject } from "@toolhost/contract";
import type { Json } from "#lib/json";
import type { LocalCopy } from "./local-copies.ts";

type SaveStatus = "saved" | "waiting" | "saving" | "offline" | "refused" | "conflict" | "gone";

/** A draft as it is seen now. */
export type DraftState = {
  definition: JsonObject;
  /** What was typed where JSON is expected and is none yet, by its place. It stays in this browser. */
  texts: Readonly<Record<string, string>>;
  /** The last revision of the service that is known here. */
  revision: number;
  status: SaveStatus;
  /** Why it was refused, or has to be tried again though the service can be reached. */
  problem?: string | undefined;
  /** What somebody else saved meanwhile, while there is a choice to be made. */
  theirs?: Draft;
  /** False when this browser has no room for a copy. */
  isStoredLocally: boolean;
};

/** Members of a definition to set; undefined takes one out. */
export type Patch = Readonly<Record<string, Json | undefined>>;

/** What is seen of a draft when it is opened, with what this browser kept of it. */
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

/** Whether two values are the same with all their members in the same order, which is the order that a form asks in. */
export function isSameText(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The definition with other members. */
export function patched(definition: JsonObject, patch: Patch): JsonObject {
  const next: JsonObject = {};
  for (const [name, value] of Object.entries({ ...definition, ...patch }))
    if (value !== undefined) next[name] = value;
  return next;
}

/** The kept texts with one more, or without it. */
export function withText(
  texts: DraftState["texts"],
  place: string,
  text: string | undefined,
): DraftState["texts"] {
  const { [place]: _old, ...others } = texts;
  return text === undefined ? others : { ...others, [place]: text };
}

/** The state without anything to choose. */
export function withoutTheirs(state: DraftState): DraftState {
  const { theirs: _theirs, ...rest } = state;
  return rest;
}
