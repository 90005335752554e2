import type { JsonObject } from "@toolhost/contract";
import { isObject, isSameJson, parseJson } from "#lib/json";

const prefix = "toolhost-input ";
/** The session storage of a tab has a few megabytes in total. */
const maxLength = 100_000;

/** Identifies a form: the workspace, the user, the tool, and the URL parameters that it was opened with. */
export type FormKey = {
  workspaceId: string;
  userId: string;
  toolName: string;
  from: string;
};

/**
 * Stores the input of a form for this browser tab, so that it survives a reload and signing in again. Input with a field that the
 * schema marks as secret is never stored.
 */
export function storeInput(key: FormKey, schema: JsonObject, input: JsonObject): void {
  const text = JSON.stringify({ from: key.from, input });
  try {
    if (text.length > maxLength || hasSecrets(schema)) sessionStorage.removeItem(storageKey(key));
    else sessionStorage.setItem(storageKey(key), text);
  } catch {
    // The storage is full; the form still has the input.
  }
}

/** Returns the stored input; undefined when it equals the initial input. */
export function loadInput(key: FormKey, initialInput: JsonObject): JsonObject | undefined {
  const stored = parseJson(sessionStorage.getItem(storageKey(key)) ?? "");
  if (!isObject(stored) || stored["from"] !== key.from) return undefined;
  const { input } = stored;
  return isObject(input) && !isSameJson(input, initialInput) ? input : undefined;
}

/** Removes the stored input of a form. */
export function clearInput(key: FormKey): void {
  sessionStorage.removeItem(storageKey(key));
}

/** Removes the stored input of all forms, when the user signs out. */
export function clearInputs(): void {
  for (const item of Object.keys(sessionStorage)) {
    if (item.startsWith(prefix)) sessionStorage.removeItem(item);
  }
}

function storageKey({ workspaceId, userId, toolName }: FormKey): string {
  return `${prefix}${workspaceId} ${userId} ${toolName}`;
}

/** Whether a schema marks a field as secret, by the same rule that redacts run records on the server. */
export function hasSecrets(schema: JsonObject): boolean {
  return /"writeOnly":true|"format":"password"/.test(JSON.stringify(schema));
}
