import { helperCode } from "./helper-code.ts";
import type { HelperName } from "./helper-code.ts";
import type { Field, OperationPlan } from "./plan.ts";
import { renderAnswer } from "./render-answer.ts";
import { renderBody } from "./render-body.ts";
import { toLiteral, toMember } from "./render-literal.ts";
import { arrayLines, inputOf, listLines, parameterOf, parametersOf } from "./writer.ts";
import type { Writer } from "./writer.ts";
import type { SecurityScheme } from "./types.ts";

/** A security scheme with the names of its credentials. */
export type Authentication = Pick<SecurityScheme, "kind" | "apiKey" | "credentialNames">;

const aboutOperation = `/**
 * Calls one operation of an HTTP API. Generated from the API's OpenAPI document: change it like any other tool.
 */`;

export type Choices = {
  base: string;
  authentication: readonly Authentication[];
  /** The comment above the main function. */
  about?: string;
};

/**
 * The code of a tool. Texts of the document reach it only as JSON literals, which is why members have their names in
 * brackets and comments are always the same.
 */
export function renderCode(
  plan: OperationPlan,
  { base, authentication, about = aboutOperation }: Choices,
): string {
  const used = new Set<HelperName>(["describeProblem"]);
  const writer: Writer = {
    constants: [],
    lines: [],
    use(name) {
      used.add(name);
      return name;
    },
  };
  renderAddress(writer, plan, authentication);
  renderHeaders(writer, plan, authentication);
  const body = renderBody(writer, plan);
  writer.lines.push(
    "const response = await fetch(url, {",
    `  method: ${toLiteral(plan.method)},`,
    "  headers,",
    ...(body === undefined ? [] : [body === "body" ? "  body," : `  body: ${body},`]),
    "  signal: ctx.signal,",
    "});",
    "if (!response.ok) throw new Error(await describeProblem(response));",
  );
  renderAnswer(writer, plan);
  const isInputUsed = plan.fields.some(({ value }) => value === undefined);
  const input = isInputUsed ? "input" : "_input";
  const main = writer.lines.map((line) => (line === "" ? "" : `  ${line}`));
  return [
    [
      `const operation = ${toLiteral(plan.key)};`,
      `const server = ${toLiteral(base)};`,
      ...writer.constants,
    ].join("\n"),
    `${about}\nexport default async (${input}: Input, ctx: Context): Promise<Output> => {\n${main.join("\n")}\n};`,
    `${helperCode(used)}\n`,
  ].join("\n\n");
}

function credential(name: string | undefined): string {
  return `ctx.credentials[${toLiteral(name ?? "")}]`;
}

function renderAddress(
  writer: Writer,
  { path, fields }: OperationPlan,
  authentication: readonly Authentication[],
): void {
  const [plain = "", ...fixed] = path.split("?");
  const values = fields
    .filter(({ place }) => place === "path")
    .map((field) => toMember(field.wireName, segmentOf(writer, field)));
  if (values.length === 0) writer.lines.push(`const url = new URL(server + ${toLiteral(plain)});`);
  else {
    const start = `const path = ${writer.use("fillPath")}(${toLiteral(plain)}, {`;
    writer.lines.push(...listLines(start, values, "});"), "const url = new URL(server + path);");
  }
  const query = [
    ...(fixed.length === 0 ? [] : [toLiteral(fixed.join("?"))]),
    ...parametersOf(
      writer,
      "queryNames",
      fields.filter(({ place }) => place === "query"),
    ),
    ...authentication
      .filter(({ apiKey }) => apiKey?.in === "query")
      .map(
        ({ apiKey, credentialNames: [name] }) =>
          `...${writer.use("parameter")}(${toLiteral(apiKey?.name)}, ${credential(name)})`,
      ),
  ];
  if (query.length > 0) writer.lines.push(...arrayLines("url.search = ", query, '.join("&");'));
}

function segmentOf(writer: Writer, field: Field): string {
  const { style, isExploded, isReserved, isJson } = field.serialization;
  const value = isJson ? `JSON.stringify(${inputOf(field)})` : inputOf(field);
  if (isReserved) return `${writer.use("subPath")}(${value})`;
  const isPlain = style !== "label" && style !== "matrix" && !isExploded;
  if (isPlain) return `${writer.use("segment")}(${value})`;
  const name = style === "label" || style === "matrix" ? style : "simple";
  return `${writer.use("styledSegment")}(${toLiteral(name)}, ${toLiteral(field.wireName)}, ${value}, ${isExploded})`;
}

function renderHeaders(
  writer: Writer,
  { fields, output }: OperationPlan,
  authentication: readonly Authentication[],
): void {
  const { mediaType } = output;
  const isOpen = mediaType === undefined || mediaType.includes("*");
  const accept = isOpen ? "*/*" : `${mediaType}, */*;q=0.1`;
  writer.lines.push(
    `const headers = new Headers({ accept: ${toLiteral(accept)}, "user-agent": "toolhost" });`,
  );
  for (const { kind, apiKey, credentialNames } of authentication) {
    const [first, second] = credentialNames;
    if (kind === "basic") {
      const pair = `${credential(first)}, ${credential(second)}`;
      writer.lines.push(`headers.set("authorization", ctx.authorization.basic(${pair}));`);
    } else if (apiKey?.in === "header") {
      writer.lines.push(`headers.set(${toLiteral(apiKey.name)}, ${credential(first)});`);
    } else if (kind === "bearer" || kind === "oauth2") {
      writer.lines.push(
        `headers.set("authorization", ctx.authorization.bearer(${credential(first)}));`,
      );
    }
  }
  for (const field of fields.filter(({ place }) => place === "header")) {
    const value = field.serialization.isJson
      ? `JSON.stringify(${inputOf(field)})`
      : (field.value ?? `${writer.use("headerValue")}(${inputOf(field)})`);
    const set = `headers.set(${toLiteral(field.wireName)}, ${value});`;
    writer.lines.push(field.isRequired ? set : `if (${inputOf(field)} !== undefined) ${set}`);
  }
  renderCookies(writer, fields, authentication);
}

function renderCookies(
  writer: Writer,
  fields: readonly Field[],
  authentication: readonly Authentication[],
): void {
  const cookies = [
    ...authentication
      .filter(({ apiKey }) => apiKey?.in === "cookie")
      .map(
        ({ apiKey, credentialNames: [name] }) =>
          `...${writer.use("parameter")}(${toLiteral(apiKey?.name)}, ${credential(name)})`,
      ),
    ...fields
      .filter(({ place }) => place === "cookie")
      .map((field) => `...${parameterOf(writer, field)}`),
  ];
  if (cookies.length === 0) return;
  writer.lines.push(
    ...arrayLines("const cookies = ", cookies, ";"),
    'if (cookies.length > 0) headers.set("cookie", cookies.join("; "));',
  );
}
