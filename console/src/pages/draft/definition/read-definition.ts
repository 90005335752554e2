import type { JsonObject } from "@toolhost/contract";
import { isObject } from "#lib/json";
import type { Json } from "#lib/json";

/** A credential as a definition names it; what is missing or of another kind is empty. */
export type CredentialDefinition = {
  name: string;
  description: string;
  hosts: string[];
  expose: boolean;
};

/** A text of the definition; empty when there is none. */
export function textAt(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** A list of texts; what is no text is left out. */
export function textsAt(object: JsonObject, name: string): string[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** A list of objects; what is none is left out. */
export function objectsAt(object: JsonObject, name: string): JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** An object of the definition; empty when there is none. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value: Json | undefined = object[name];
  return isObject(value) ? value : {};
}

/** The code and what it is written in. */
export function sourceOf(definition: JsonObject): {
  code: string;
  language: "typescript" | "javascript";
  fileName: string;
} {
  const source = objectAt(definition, "source");
  const isScript = source["language"] === "javascript";
  return {
    code: textAt(source, "code"),
    language: isScript ? "javascript" : "typescript",
    fileName: isScript ? "tool.js" : "tool.ts",
  };
}

/** The credentials that the tool asks for. */
export function credentialsOf(definition: JsonObject): CredentialDefinition[] {
  return objectsAt(definition, "credentials").map((one) => ({
    name: textAt(one, "name"),
    description: textAt(one, "description"),
    hosts: textsAt(one, "hosts"),
    expose: one["expose"] === true,
  }));
}

/** npm packages by their names. */
export function dependenciesOf(definition: JsonObject): JsonObject {
  return objectAt(objectAt(definition, "source"), "dependencies");
}

/** npm packages, as `name@version`. */
export function packagesOf(definition: JsonObject): string[] {
  return Object.entries(dependenciesOf(definition)).map(([name, version]) =>
    typeof version === "string" ? `${name}@${version}` : name,
  );
}

/** A package as it is typed: `zod@4.6.7`, `@scope/name@1.2.3`; undefined for what is none. */
function readPackage(line: string): readonly [string, string] | undefined {
  const [, name, version] = /^(@?[^@\s]+)(?:@|\s+)([^\s@]+)$/.exec(line.trim()) ?? [];
  return name === undefined || version === undefined ? undefined : [name, version];
}

/** Packages as they are typed, one a line, and the lines that name none, or one that was named above. */
export function readPackages(lines: readonly string[]): {
  packages: Record<string, string>;
  odd: string[];
} {
  const found = new Map<string, string>();
  const odd = lines.filter((line) => {
    const [name = "", version] = readPackage(line) ?? [];
    if (version === undefined || found.has(name)) return true;
    found.set(name, version);
    return false;
  });
  return { packages: Object.fromEntries(found), odd };
}
