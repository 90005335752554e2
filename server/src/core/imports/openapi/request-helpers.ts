/** Functions by which generated tools write requests, in the order in which tools have them. */
export const requestHelpers = {
  fillPath: {
    uses: [],
    code: `/** Replaces each {name} of the path by its value. */
function fillPath(path: string, values: Record<string, string>): string {
  return path.replaceAll(/\\{([^{}]+)\\}/g, (whole, name: string) => values[name] ?? whole);
}`,
  },
  segment: {
    uses: ["listOf", "toText"],
    code: `/** A value as one segment of a path. "." and ".." would change the rest of the path. */
function segment(value: unknown): string {
  const text = listOf(value)
    .map((item) => encodeURIComponent(toText(item)))
    .join(",");
  if (/^\\.{0,2}$/.test(text)) throw new Error(\`"\${text}" cannot be a part of the path.\`);
  return text;
}`,
  },
  subPath: {
    uses: ["segment", "toText"],
    code: `/** A value as one or more segments of a path. */
function subPath(value: unknown): string {
  return toText(value).split("/").map(segment).join("/");
}`,
  },
  styledSegment: {
    uses: ["assignments", "listOf", "segment", "toText"],
    code: `/** A value in a path with the style "simple", "label" or "matrix" (RFC 6570). */
function styledSegment(style: string, name: string, value: unknown, isExploded: boolean): string {
  const items = isExploded
    ? assignments(style === "matrix" ? name : undefined, value)
    : [listOf(value)
        .map((item) => encodeURIComponent(toText(item)))
        .join(",")];
  if (style === "simple") return isExploded ? items.join(",") : segment(value);
  if (style === "label") return items.map((item) => \`.\${item}\`).join("");
  return items.map((item) => (isExploded ? \`;\${item}\` : \`;\${encodeURIComponent(name)}=\${item}\`)).join("");
}`,
  },
  assignments: {
    uses: ["pair", "toText"],
    code: `/** Each member of an object as "name=value". Other values have the given name, or none. */
function assignments(name: string | undefined, value: unknown): string[] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value).map(([key, item]) => pair(key, item));
  }
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => (name === undefined ? encodeURIComponent(toText(item)) : pair(name, item)));
}`,
  },
  parameter: {
    uses: ["pair"],
    code: `/** A parameter as "name=value". A list repeats the name, and an object has one for each member. */
function parameter(name: string, value: unknown, encode = encodeURIComponent): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item: unknown) => pair(name, item, encode));
  if (typeof value !== "object") return [pair(name, value, encode)];
  return Object.entries(value).map(([key, item]) => pair(key, item, encode));
}`,
  },
  joined: {
    uses: ["listOf", "toText"],
    code: `/** A parameter as "name=value", with the items of a list or object joined by the separator. */
function joined(name: string, value: unknown, separator: string, encode = encodeURIComponent): string[] {
  if (value === undefined || value === null) return [];
  const items = listOf(value).map((item) => encode(toText(item)));
  return [\`\${encodeURIComponent(name)}=\${items.join(separator)}\`];
}`,
  },
  nested: {
    uses: ["pair"],
    code: `/** A parameter whose members are written as "name[member]=value". */
function nested(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => nested(typeof item === "object" ? name : \`\${name}[]\`, item));
  }
  if (typeof value !== "object") return [pair(name, value)];
  return Object.entries(value).flatMap(([key, item]) => nested(\`\${name}[\${key}]\`, item));
}`,
  },
  pair: {
    uses: ["toText"],
    code: `function pair(name: string, value: unknown, encode = encodeURIComponent): string {
  return \`\${encodeURIComponent(name)}=\${encode(toText(value))}\`;
}`,
  },
  encodeReserved: {
    uses: [],
    code: `/** Encodes a value like a URL, in which reserved characters stay as they are. */
function encodeReserved(text: string | number | boolean): string {
  return encodeURI(String(text)).replaceAll(/[#&+]/g, encodeURIComponent);
}`,
  },
  headerValue: {
    uses: ["listOf", "toText"],
    code: `/** A value for a header: a list is separated by commas. */
function headerValue(value: unknown): string {
  return listOf(value).map(toText).join(",");
}`,
  },
  listOf: {
    uses: [],
    code: `/** The items of a list, the names and values of an object, or the value itself. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === "object" && value !== null ? Object.entries(value).flat() : [value];
}`,
  },
  toText: {
    uses: [],
    code: `/** A value as text. Lists and objects become JSON. */
function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}`,
  },
  toPart: {
    uses: [],
    code: `/** An uploaded file as a part of a form. */
async function toPart(ctx: Context, id: string): Promise<File> {
  const file = await ctx.files.open(id);
  return new File([await file.arrayBuffer()], file.fileName, { type: file.mimeType });
}`,
  },
  encodeForm: {
    uses: [],
    code: `/** A form whose parts of the given names have the type of JSON, which FormData cannot set (RFC 7578). */
function encodeForm(form: FormData, jsonNames: string[], headers: Headers): Blob {
  const boundary = crypto.randomUUID();
  const quote = (text: string) => \`"\${text.replaceAll(/["\\r\\n]/g, encodeURIComponent)}"\`;
  const parts = [...form].flatMap(([name, value]) => {
    const start = \`--\${boundary}\\r\\nContent-Disposition: form-data; name=\${quote(name)}\`;
    const jsonType = jsonNames.includes(name) ? "\\r\\nContent-Type: application/json" : "";
    const head =
      typeof value === "string"
        ? jsonType
        : \`; filename=\${quote(value.name)}\\r\\nContent-Type: \${value.type}\`;
    return [\`\${start}\${head}\\r\\n\\r\\n\`, value, "\\r\\n"];
  });
  headers.set("content-type", \`multipart/form-data; boundary=\${boundary}\`);
  return new Blob([...parts, \`--\${boundary}--\\r\\n\`]);
}`,
  },
  hasValue: {
    uses: [],
    code: `/** Whether any member has a value. */
function hasValue(body: Record<string, unknown>): boolean {
  return Object.values(body).some((value) => value !== undefined);
}`,
  },
} as const;
