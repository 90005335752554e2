import type { Field, OperationPlan } from "./plan.ts";
import { arrayLines, inputOf, listLines, parametersOf } from "./writer.ts";
import type { Writer } from "./writer.ts";
import { toLiteral } from "./render-literal.ts";

/** Writes what the body needs, and returns its expression; undefined without a body. */
export function renderBody(writer: Writer, { body, fields }: OperationPlan): string | undefined {
  const parts = fields.filter(({ place }) => ["body", "file", "files", "whole"].includes(place));
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
  const members = parts.map((field) => `${toLiteral(field.wireName)}: ${inputOf(field)}`);
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

/** The browser's own type has the boundary, so none is set. */
function renderMultipart(writer: Writer, parts: readonly Field[]): string {
  writer.lines.push("const body = new FormData();");
  for (const field of parts) {
    const name = toLiteral(field.wireName);
    const value = inputOf(field);
    if (field.place === "files") {
      const part = `${writer.use("toPart")}(ctx, id)`;
      const list = field.isRequired ? value : `${value} ?? []`;
      writer.lines.push(`for (const id of ${list}) body.append(${name}, await ${part});`);
      continue;
    }
    const part =
      field.place === "file"
        ? `await ${writer.use("toPart")}(ctx, ${value})`
        : `${writer.use("toText")}(${value})`;
    const append = `body.append(${name}, ${part});`;
    writer.lines.push(field.isRequired ? append : `if (${value} !== undefined) ${append}`);
  }
  return "body";
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
