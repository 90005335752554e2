import type { Field, Place } from "./plan.ts";
import { isUsableName } from "./schema-values.ts";

/** Model providers accept inputs whose names have these characters and this length. */
const allowed = /[^A-Za-z0-9_.-]+/g;
const maxLength = 60;

const suffixes: Readonly<Record<Place, string>> = {
  path: "path",
  query: "query",
  header: "header",
  cookie: "cookie",
  body: "body",
  parts: "body",
  file: "file",
  files: "files",
  whole: "body",
};

/** Names the fields of an input: as the API does if possible, and each differently. */
export function nameFields(fields: readonly Field[]): Field[] {
  const taken = new Set<string>();
  return fields.map((field) => {
    const plain = field.name
      .replaceAll(allowed, "_")
      .replaceAll(/^_+|_+$/g, "")
      .slice(0, maxLength);
    const base = plain === "" ? "value" : plain;
    let name = isUsableName(base) ? base : `${base}_`;
    if (taken.has(name)) name = `${name}_${suffixes[field.place]}`;
    for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
    taken.add(name);
    return { ...field, name };
  });
}
