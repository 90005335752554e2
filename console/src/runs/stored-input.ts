import type { JsonObject } from "@toolhost/contract";
import { isObject, isSameJson, parseJson } from "#lib/json";

const prefix = "toolhost-input ";
/** A tab of a browser keeps some megabytes in all. */
const longest = 100_000;

/** Whose form of which tool it is, in which workspace, and what was filled in there at first: another address begins another form. */
export type FormKey = {
  workspaceId: string;
  userId: string;
  toolName: string;
  from: string;
};

/**
 * Keeps what somebody has filled in for this tab of the browser, so that neither a reload nor signing in again loses it. What the
 * schema marks as secret is never kept, and neither is anything beside it.
 */
export function storeInput(place: FormKey, schema: JsonObject, input: JsonObject): void {
  const text = JSON.stringify({ from: place.from, input });
  try {
    if (text.length > longest || hasSecrets(schema)) sessionStorage.removeItem(keyOf(place));
    else sessionStorage.setItem(keyOf(place), text);
  } catch {
    // The browser has no room: the form itself still holds it.
  }
}

/** What was filled in and kept; undefined where that is nothing but what the form begins with anyway. */
export function loadInput(place: FormKey, beginning: JsonObject): JsonObject | undefined {
  const kept = parseJson(sessionStorage.getItem(keyOf(place)) ?? "");
  if (!isObject(kept) || kept["from"] !== place.from) return undefined;
  const { input } = kept;
  return isObject(input) && !isSameJson(input, beginning) ? input : undefined;
}

/** Lets go of what was filled in there. */
export function clearInput(place: FormKey): void {
  sessionStorage.removeItem(keyOf(place));
}

/** Lets go of all of it, as whoever signs out expects. */
export function clearInputs(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  }
}

function keyOf({ workspaceId, userId, toolName }: FormKey): string {
  return `${prefix}${workspaceId} ${userId} ${toolName}`;
}

/** Whether a schema marks something as secret, in the way in which the service hides it in records of runs. */
export function hasSecrets(schema: JsonObject): boolean {
  return /"writeOnly":true|"format":"password"/.test(JSON.stringify(schema));
}
