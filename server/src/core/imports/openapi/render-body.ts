import type { Field, OperationPlan, Place } from "./plan.ts";
import { arrayLines, inputOf, listLines, parametersOf } from "./writer.ts";
import type { Writer } from "./writer.ts";
import { toLiteral, toMember } from "./render-literal.ts";

const bodyPlaces = new Set<Place>(["body", "parts", "file", "files", "whole"]);

/** Writes what the body needs, and returns its expression; undefined without a body. */
export function renderBody(writer: Writer, { body, fields }: OperationPlan): string | undefined {
  const parts = fields.filter(({ place }) => bodyPlaces.has(place));
  const [first] = parts;
  if (body.kind === "none" || first === undefined) return undefined;
  if (body.kind === "multipart") return renderMultipart(writer, parts);
  if (body.kind === "binary") return renderFile(writer, first, body.mediaType);
  const setType = `headers.set("content-type", ${toLiteral(body.mediaType)});`;
  if (body.kind === "form") {
    const items = parametersOf(writer, "formNames", parts);
    writer.lines.push(setType, ...arrayLines("const body = ", items, '.join("&");'));
    return "body";
  }
  if (first.place === "whole") {
    const isSet = first.isRequired ? "" : `if (${inputOf(first)} !== undefined) `;
    writer.lines.push(`${isSet}${setType}`);
    return body.kind === "text" ? inputOf(first) : `JSON.stringify(${inputOf(first)})`;
  }
  const members = parts.map((field) => toMember(field.wireName, inputOf(field)));
  writer.lines.push(...listLines("const body = {", members, "};"));
  const isAlwaysSent = body.isRequired || parts.some(({ isRequired }) => isRequired);
  if (isAlwaysSent) {
    writer.lines.push(setType);
    return "JSON.stringify(body)";
  }
  const hasBody = `${writer.use("hasValue")}(body)`;
  writer.lines.push(`if (${hasBody}) ${setType}`);
  return `${hasBody} ? JSON.stringify(body) : undefined`;
}

/** `fetch` sets a type with the boundary, unless parts are JSON. */
function renderMultipart(writer: Writer, parts: readonly Field[]): string {
  const json = parts.filter(({ serialization }) => serialization.isJson);
  const form = json.length === 0 ? "body" : "form";
  writer.lines.push(`const ${form} = new FormData();`);
  for (const field of parts) writer.lines.push(appendOf(writer, form, field));
  if (json.length === 0) return "body";
  const names = toLiteral(json.map(({ wireName }) => wireName));
  writer.lines.push(`const body = ${writer.use("encodeForm")}(form, ${names}, headers);`);
  return "body";
}

function appendOf(writer: Writer, form: string, field: Field): string {
  const { place, isRequired, wireName } = field;
  const isFile = place === "file" || place === "files";
  const value = inputOf(field);
  const partOf = (item: string) =>
    isFile ? `await ${writer.use("toPart")}(ctx, ${item})` : `${writer.use("toText")}(${item})`;
  const append = (item: string) => `${form}.append(${toLiteral(wireName)}, ${partOf(item)});`;
  if (place === "files" || place === "parts") {
    const list = isRequired ? value : `${value} ?? []`;
    const item = isFile ? "id" : "item";
    return `for (const ${item} of ${list}) ${append(item)}`;
  }
  return isRequired ? append(value) : `if (${value} !== undefined) ${append(value)}`;
}

function renderFile(writer: Writer, field: Field, mediaType: string): string {
  const isOpen = mediaType.includes("*") || mediaType === "application/octet-stream";
  const type = isOpen ? "file.mimeType" : toLiteral(mediaType);
  writer.lines.push(
    `const file = await ctx.files.open(${inputOf(field)});`,
    `headers.set("content-type", ${type});`,
  );
  return "await file.arrayBuffer()";
}
