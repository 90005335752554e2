import { isObject } from "@toolhost/tool-schema/json";
import { continueLines, keyVariable, newIdExpression, quoteForShell } from "#lib/snippet-parts";
import { idempotencyHeader } from "./request.ts";
import type { PreparedRequest } from "./request.ts";

/** How a snippet authenticates, and what it does with the response. */
export type SnippetOptions = { hasKey: boolean; response: "json" | "text" | "none" };

export type Snippet = { id: "curl" | "typescript" | "python"; label: string; code: string };

/** The request as code in each language. */
export function snippetsOf(request: PreparedRequest, options: SnippetOptions): readonly Snippet[] {
  return [
    { id: "curl", label: "curl", code: curlOf(request, options) },
    { id: "typescript", label: "TypeScript", code: typescriptOf(request, options) },
    { id: "python", label: "Python", code: pythonOf(request, options) },
  ];
}

const fileName = "example.txt";

function curlOf(
  { method, url, headers, needsNewId, body }: PreparedRequest,
  options: SnippetOptions,
) {
  const parts = [`curl -s${method === "GET" ? "" : ` -X ${method}`} ${quoteForShell(url)}`];
  if (options.hasKey) parts.push(`-H "Authorization: Bearer $${keyVariable}"`);
  if (needsNewId) parts.push(`-H "${idempotencyHeader}: ${newIdExpression}"`);
  for (const [name, value] of headers) parts.push(`-H ${quoteForShell(`${name}: ${value}`)}`);
  if (body?.kind === "form") parts.push(`-F ${quoteForShell(`${body.field}=@${fileName}`)}`);
  if (body !== undefined && body.kind !== "form") {
    parts.push(`-H ${quoteForShell(`Content-Type: ${body.mediaType}`)}`);
    parts.push(
      body.kind === "bytes"
        ? `--data-binary @${fileName}`
        : `--data-raw ${quoteForShell(compact(body.text))}`,
    );
  }
  return continueLines(parts);
}

function typescriptOf(request: PreparedRequest, { hasKey, response }: SnippetOptions): string {
  const { method, url, headers, needsNewId, body } = request;
  const lines = [
    ...(hasKey ? [`authorization: \`Bearer \${process.env.${keyVariable}}\``] : []),
    ...(needsNewId ? [`"idempotency-key": crypto.randomUUID()`] : []),
    ...(body !== undefined && body.kind !== "form"
      ? [`"content-type": ${JSON.stringify(body.mediaType)}`]
      : []),
    ...headers.map(
      ([name, value]) => `${JSON.stringify(name.toLowerCase())}: ${JSON.stringify(value)}`,
    ),
  ];
  const members = [
    ...(method === "GET" ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(lines.length === 0 ? [] : [`  headers: {\n    ${lines.join(",\n    ")},\n  },`]),
    ...(body === undefined ? [] : [`  body: ${typescriptBody(body)},`]),
  ];
  const options = members.length === 0 ? "" : `, {\n${members.join("\n")}\n}`;
  const file = `new File(["Hello"], ${JSON.stringify(fileName)}, { type: "text/plain" })`;
  const form =
    body?.kind === "form"
      ? `const form = new FormData();\nform.append(${JSON.stringify(body.field)}, ${file});\n`
      : "";
  const print = response === "none" ? "" : `\nconsole.log(await response.${response}());`;
  return `${form}const response = await fetch(${JSON.stringify(url)}${options});
if (!response.ok) throw new Error(await response.text());${print}`;
}

function typescriptBody(body: NonNullable<PreparedRequest["body"]>): string {
  if (body.kind === "form") return "form";
  if (body.kind === "bytes") return `new TextEncoder().encode("Hello")`;
  const value = parse(body.text);
  // As a literal, a member with this name would set the prototype.
  if (value === undefined || body.text.includes("__proto__")) return JSON.stringify(body.text);
  return `JSON.stringify(${JSON.stringify(value, null, 2).replaceAll("\n", "\n  ")})`;
}

function pythonOf(request: PreparedRequest, { hasKey, response }: SnippetOptions): string {
  const { method, url, headers, needsNewId, body } = request;
  const value = body?.kind === "text" ? parse(body.text) : undefined;
  const lines = [
    ...(hasKey ? [`"Authorization": f"Bearer {os.environ['${keyVariable}']}"`] : []),
    ...(needsNewId ? [`"${idempotencyHeader}": str(uuid.uuid4())`] : []),
    ...(body !== undefined && body.kind !== "form" && value === undefined
      ? [`"Content-Type": ${toPython(body.mediaType)}`]
      : []),
    ...headers.map(([name, content]) => `${toPython(name)}: ${toPython(content)}`),
  ];
  const members = [
    toPython(url),
    ...(lines.length === 0 ? [] : [`headers={\n        ${lines.join(",\n        ")},\n    }`]),
    ...(body === undefined ? [] : [pythonBody(body, value)]),
    "timeout=60",
  ];
  const modules = [...(hasKey ? ["os"] : []), ...(needsNewId ? ["uuid"] : [])];
  const imports = modules.map((name) => `import ${name}\n`).join("");
  const print = { json: "\nprint(response.json())", text: "\nprint(response.text)", none: "" };
  return `${imports}import requests

response = requests.${method.toLowerCase()}(
    ${members.join(",\n    ")},
)
response.raise_for_status()${print[response]}`;
}

function pythonBody(body: NonNullable<PreparedRequest["body"]>, value: unknown): string {
  if (body.kind === "form") return `files={${toPython(body.field)}: open("${fileName}", "rb")}`;
  if (body.kind === "bytes") return `data=open("${fileName}", "rb")`;
  if (value === undefined) return `data=${toPython(body.text)}.encode()`;
  return `json=${toPython(value, "    ")}`;
}

/** A JSON value as a literal of Python. JSON's strings are strings of Python as well. */
function toPython(value: unknown, indent = ""): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  const deeper = `${indent}    `;
  const block = (open: string, items: readonly string[], close: string) =>
    items.length === 0
      ? open + close
      : `${open}\n${items.map((item) => `${deeper}${item},\n`).join("")}${indent}${close}`;
  if (Array.isArray(value)) {
    return block(
      "[",
      value.map((item) => toPython(item, deeper)),
      "]",
    );
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${toPython(member, deeper)}`,
  );
  return block("{", members, "}");
}

function compact(text: string): string {
  const value = parse(text);
  return value === undefined ? text : JSON.stringify(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
