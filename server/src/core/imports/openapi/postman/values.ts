import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { isSecretName, isSecretValue, replaceSecrets } from "@toolhost/tool-schema/secrets";

/** A place for a value in a text of a collection. Names of variables have no braces. */
const template = /\{\{([^{}]{1,200})\}\}/g;

/** The names of the variables in a text. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(template)].map(([, name = ""]) => name.trim());
}

/** Whether a header or parameter has a secret: by its name, by the form of its value, or in a variable. */
export function hasSecret(name: string, value: string): boolean {
  return (
    isSecretName(name) ||
    variablesIn(value).some((variable) => isSecretName(variable)) ||
    isSecretValue(value)
  );
}

export function replaceVariables(text: string, replace: (name: string) => string): string {
  return text.replaceAll(template, (_, name: string) => replace(name.trim()));
}

/**
 * Secrets of known forms become variables wherever they are, so that nothing else needs to look for them: in a path they are
 * entered for each request, in a header or parameter they are authentication.
 */
function withoutSecrets(value: Json): Json {
  if (typeof value === "string") return replaceSecrets(value, secretVariable);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  return isObject(value) ? membersWithoutSecrets(value) : value;
}

export function membersWithoutSecrets(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]),
  );
}

/** The variable of the nth secret of a text. No variable of such a name has a value. */
export function secretVariable(at: number): string {
  return `{{secret${at === 1 ? "" : at}}}`;
}

const maxValue = 2_000;

/** The values of the collection's variables, without those that are or may be secrets. */
export function readVariables(collection: JsonObject): Map<string, string> {
  const found = new Map<string, string>();
  for (const variable of listOf(own(collection, "variable"))) {
    const name = textAt(variable, "key") ?? textAt(variable, "id") ?? "";
    const value = own(variable, "value");
    const isSecret = textAt(variable, "type") === "secret" || isSecretName(name);
    if (name === "" || isSecret || own(variable, "disabled") === true) continue;
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    if (text !== "" && text.length <= maxValue) found.set(name, text);
  }
  return found;
}

const maxLevels = 5;
const maxResolved = 4_000;

/** The text with the values of variables, which may contain others. Those without a value stay. */
export function resolve(text: string, variables: ReadonlyMap<string, string>): string {
  let resolved = text;
  for (let level = 0; level < maxLevels && resolved.includes("{{"); level += 1) {
    if (resolved.length > maxResolved) return text;
    resolved = replaceVariables(resolved, (name) => variables.get(name) ?? `{{${name}}}`);
  }
  return resolved.length > maxResolved ? text : resolved;
}

/** The name of a request or folder. Postman names a new request by its address, which may contain secrets. */
export function nameOf(item: JsonObject): string {
  const name = textAt(item, "name") ?? "";
  return /:\/\/|\{\{/.test(name) || isSecretValue(name) ? "" : name;
}

/** The objects of a list; empty for anything else. */
export function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A description, which is a text or an object with one. */
export function descriptionOf(holder: JsonObject): string {
  const value = own(holder, "description");
  const text = isObject(value) ? own(value, "content") : value;
  return typeof text === "string" ? text.slice(0, 20_000) : "";
}

const maxExample = 200;
/** Starts of tokens that were shortened, and long random texts. */
const randomValues = /^(?:eyJ|sk[-_]|pk_|rk_|gh[a-z]_|github_|xox|AKIA)|^[\w+/=.-]{32,}$/i;

/** A value that shows what to send: no secret, no variable and no placeholder such as "<id>". */
export function exampleOf(name: string, value: Json | undefined): { example?: Json } {
  if (typeof value === "boolean") return { example: value };
  if (isSecretName(name, value)) return {};
  if (typeof value === "number") return { example: value };
  if (typeof value !== "string" || value === "" || value.length > maxExample) return {};
  const isSecret = isSecretValue(value) || randomValues.test(value);
  return isSecret || /\{\{|^<.*>$/s.test(value) ? {} : { example: value };
}
