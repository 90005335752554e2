import type { JsonObject } from "@toolhost/contract";
import { isObject } from "#lib/json";
import type { Json } from "#lib/json";

/** A credential in a definition; missing or invalid fields are empty. */
export type CredentialDefinition = {
  name: string;
  description: string;
  hosts: string[];
  expose: boolean;
};

/** Reads a string; empty when there is none. */
export function textAt(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** Reads an array of strings; other items are left out. */
export function textsAt(object: JsonObject, name: string): string[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Reads an array of objects; other items are left out. */
export function objectsAt(object: JsonObject, name: string): JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Reads an object; empty when there is none. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value: Json | undefined = object[name];
  return isObject(value) ? value : {};
}

/** Reads the source code, its language and its file name. */
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

/** Reads the credentials that the tool requests. */
export function credentialsOf(definition: JsonObject): CredentialDefinition[] {
  return objectsAt(definition, "credentials").map((one) => ({
    name: textAt(one, "name"),
    description: textAt(one, "description"),
    hosts: textsAt(one, "hosts"),
    expose: one["expose"] === true,
  }));
}

/** Reads the npm packages: versions by name. */
export function dependenciesOf(definition: JsonObject): JsonObject {
  return objectAt(objectAt(definition, "source"), "dependencies");
}

/** Lists the npm packages as `name@version`. */
export function packagesOf(definition: JsonObject): string[] {
  return Object.entries(dependenciesOf(definition)).map(([name, version]) =>
    typeof version === "string" ? `${name}@${version}` : name,
  );
}

/** Parses a package such as `zod@4.6.7` or `@scope/name@1.2.3`; undefined when the line is invalid. */
function readPackage(line: string): readonly [string, string] | undefined {
  const [, name, version] = /^(@?[^@\s]+)(?:@|\s+)([^\s@]+)$/.exec(line.trim()) ?? [];
  return name === undefined || version === undefined ? undefined : [name, version];
}

const packageName = /^(?=.{1,214}$)(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/;

/**
 * Parses packages, one per line; also returns the invalid and duplicate lines, and of those the names of packages without a
 * version.
 */
export function readPackages(lines: readonly string[]): {
  packages: Record<string, string>;
  invalid: string[];
  unversioned: string[];
} {
  const found = new Map<string, string>();
  const invalid = lines.filter((line) => {
    const [name = "", version] = readPackage(line) ?? [];
    if (version === undefined || found.has(name)) return true;
    found.set(name, version);
    return false;
  });
  const names = new Set(invalid.map((line) => line.trim()));
  const unversioned = [...names].filter((name) => packageName.test(name) && !found.has(name));
  return { packages: Object.fromEntries(found), invalid, unversioned };
}
