import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { isSecretName } from "@toolhost/tool-schema/secrets";
import { toLine } from "../text.ts";
import { hasSecret, listOf, nameOf } from "./values.ts";

const maxNames = 10;
const maxName = 60;

/** What an import leaves out of a collection, whose secrets of known forms were replaced: names only, never values. */
export function listOmissions(collection: JsonObject): string[] {
  const scripts = new Set<string>();
  const secrets = new Set<string>();
  for (const holder of holdersOf(collection)) {
    const name = toLine(nameOf(holder), maxName);
    const where =
      holder === collection ? "the collection" : name === "" ? "an unnamed request" : `"${name}"`;
    if (listOf(own(holder, "event")).some(hasScript)) scripts.add(where);
    for (const variable of listOf(own(holder, "variable"))) {
      const key = textAt(variable, "key") ?? textAt(variable, "id") ?? "";
      const isSecret = textAt(variable, "type") === "secret" || isSecretName(key);
      if (isSecret && isSaved(own(variable, "value")))
        secrets.add(`variable ${toLine(key, maxName)}`);
    }
    const request = own(holder, "request");
    const parts = isObject(request) ? request : holder;
    const type = authWithSecret(own(parts, "auth"));
    if (type !== undefined) secrets.add(`${type} authentication of ${where}`);
    for (const key of secretsOf(own(parts, "header"))) secrets.add(`header ${key}`);
    const url = own(parts, "url");
    const query = isObject(url) ? own(url, "query") : undefined;
    for (const key of secretsOf(query)) secrets.add(`parameter ${key}`);
  }
  return [
    ...(scripts.size === 0 ? [] : [`Scripts and tests are left out: of ${shorten(scripts)}.`]),
    ...(secrets.size === 0
      ? []
      : [`Saved secrets are left out: ${shorten(secrets)}. Tools use credentials in their place.`]),
  ];
}

/** The collection, its folders and its requests. */
function holdersOf(collection: JsonObject): JsonObject[] {
  const found = [collection];
  // The list grows while it is read.
  for (const holder of found) found.push(...listOf(own(holder, "item")));
  return found;
}

function hasScript(event: JsonObject): boolean {
  const script = own(event, "script");
  const code = isObject(script) ? own(script, "exec") : script;
  const lines = Array.isArray(code) ? code : [code];
  return lines.some((line) => typeof line === "string" && line.trim() !== "");
}

/** Whether a secret was written out, and not only as a variable that its author named. */
function isSaved(value: Json | undefined): boolean {
  if (typeof value === "number") return true;
  if (typeof value !== "string" || value.trim() === "") return false;
  return /\{\{secret\d*\}\}/.test(value) || value.replaceAll(/\{\{[^{}]*\}\}/g, "").trim() !== "";
}

const secretAttributes = /^(?:value|token|password|secret|.*(?:token|secret|password|key))$/i;
const publicAttributes = /^(?:key|addTokenTo|accessTokenUrl|refreshTokenUrl|tokenType|tokenName)$/i;

/** The type of an authentication with a saved secret. Its attributes are a list in format 2.1 and an object in 2.0. */
function authWithSecret(auth: Json | undefined): string | undefined {
  const type = isObject(auth) ? own(auth, "type") : undefined;
  if (!isObject(auth) || typeof type !== "string") return undefined;
  const written = own(auth, type);
  const attributes = isObject(written)
    ? Object.entries(written)
    : listOf(written).map((one): [string, Json | undefined] => [
        textAt(one, "key") ?? "",
        own(one, "value"),
      ]);
  const isFound = attributes.some(
    ([name, value]) =>
      secretAttributes.test(name) && !publicAttributes.test(name) && isSaved(value),
  );
  return isFound ? toLine(type, maxName) : undefined;
}

/** The names of headers or parameters with a saved secret. */
function secretsOf(list: Json | undefined): string[] {
  return listOf(list).flatMap((one) => {
    const name = textAt(one, "key") ?? "";
    const value = own(one, "value");
    if (name === "" || typeof value !== "string" || !isSaved(value)) return [];
    return /^authorization$/i.test(name) || hasSecret(name, value) ? [toLine(name, maxName)] : [];
  });
}

function shorten(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, maxNames);
  const rest = names.size - shown.length;
  return [...shown, ...(rest === 0 ? [] : [`${rest} more`])].join(", ");
}
