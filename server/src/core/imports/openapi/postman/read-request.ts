import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { inferSchema } from "./infer-schema.ts";
import { addKey, readHeaderSecret } from "./read-auth.ts";
import { parseJson, readBody } from "./read-body.ts";
import type { CollectionParts } from "./read-auth.ts";
import { readUrl } from "./read-url.ts";
import { descriptionOf, exampleOf, hasSecret, listOf, nameOf, variablesIn } from "./values.ts";

type Request = { method: string; path: string; server: string; operation: JsonObject };
type Context = { tags: readonly string[]; security: string | undefined };

/** The operation of a request; undefined if it has no address. */
export function readRequest(
  item: JsonObject,
  parts: CollectionParts,
  { tags, security }: Context,
): Request | undefined {
  const written = own(item, "request");
  const request = isObject(written) ? written : { url: written ?? null };
  const url = readUrl(own(request, "url"), parts.variables);
  if (url === undefined) return undefined;
  const headers = headersOf(own(request, "header"));
  const contentType =
    headers.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "";
  const secrets = [
    ...headers.map((header) => readHeaderSecret(header, parts.schemes)),
    ...url.query.map((one) => secretOfQuery(one, parts)),
    url.hasUser ? parts.schemes.add("basic", { type: "http", scheme: "basic" }) : undefined,
  ].filter((name) => name !== undefined);
  // A header that is written out is what the request sends.
  const isWritten = headers.some(({ name }) => name.toLowerCase() === "authorization");
  const names = new Set([...(security === undefined || isWritten ? [] : [security]), ...secrets]);
  const content = readBody(
    own(request, "body"),
    variablesIn(contentType).length > 0 ? "" : contentType,
  );
  return {
    method: (textAt(request, "method") ?? "GET").toLowerCase().slice(0, 20),
    path: url.path,
    server: url.server,
    operation: {
      summary: nameOf(item),
      description: descriptionOf(request),
      tags: tags.filter((tag) => tag !== ""),
      security: names.size === 0 ? [] : [Object.fromEntries([...names].map((one) => [one, []]))],
      parameters: [
        ...url.pathVariables.flatMap((one) => parameterOf("path", one)),
        ...url.query.flatMap((one) =>
          secretOfQuery(one, parts) === undefined ? parameterOf("query", one) : [],
        ),
        ...headers.flatMap(headerParameter),
      ],
      ...(content === undefined ? {} : { requestBody: { content } }),
      responses: responsesOf(item),
    },
  };
}

type Header = { name: string; value: string; description: string; isEnabled: boolean };

/** Headers are a list, or a text in format 2.0. */
function headersOf(value: Json | undefined): Header[] {
  const list =
    typeof value === "string"
      ? value.split("\n").map((line): JsonObject => {
          const at = line.indexOf(":");
          return { key: line.slice(0, at), value: line.slice(at + 1) };
        })
      : listOf(value);
  return list.flatMap((header) => {
    const name = (textAt(header, "key") ?? "").trim();
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name)) return [];
    const isEnabled = own(header, "disabled") !== true;
    const text = (textAt(header, "value") ?? "").trim();
    return [{ name, value: text, description: descriptionOf(header), isEnabled }];
  });
}

/** Headers that a tool sets itself, or that only concern Postman. */
const ownHeaders =
  /^(?:accept|accept-encoding|authorization|cache-control|connection|content-length|content-type|cookie|host|postman-token|user-agent)$/i;

function headerParameter({ name, value, description, isEnabled }: Header): JsonObject[] {
  if (ownHeaders.test(name) || hasSecret(name, value)) return [];
  const example = exampleOf(name, value);
  return [
    {
      name,
      in: "header",
      description,
      // A fixed value, such as the version of the API, is a part of the request.
      required: isEnabled && Object.keys(example).length > 0,
      schema: { type: "string" },
      ...example,
    },
  ];
}

function secretOfQuery(parameter: JsonObject, { schemes }: CollectionParts): string | undefined {
  const name = textAt(parameter, "key") ?? "";
  const value = textAt(parameter, "value") ?? "";
  const isSecret = /^key$/i.test(name) || hasSecret(name, value);
  return name !== "" && isSecret ? addKey(schemes, "query", name) : undefined;
}

function parameterOf(place: "path" | "query", parameter: JsonObject): JsonObject[] {
  const name = textAt(parameter, "key") ?? textAt(parameter, "id") ?? "";
  if (name === "") return [];
  const value = own(parameter, "value");
  return [
    {
      name,
      in: place,
      description: descriptionOf(parameter),
      required: place === "path",
      schema: schemaOfText(value),
      ...exampleOf(name, value),
    },
  ];
}

/** Values are texts, of which a number or a boolean may also be sent as such. */
function schemaOfText(value: Json | undefined): JsonObject {
  if (typeof value !== "string") return { type: "string" };
  if (/^-?\d{1,15}$/.test(value)) return { type: ["string", "integer"] };
  return value === "true" || value === "false"
    ? { type: ["string", "boolean"] }
    : { type: "string" };
}

/** The structure of the first successful answer that was saved, without its values. */
function responsesOf(item: JsonObject): JsonObject {
  for (const response of listOf(own(item, "response"))) {
    const code = own(response, "code");
    const body = textAt(response, "body") ?? "";
    if (typeof code !== "number" || code < 200 || code > 299) continue;
    const sample = parseJson(body);
    if (sample === undefined) continue;
    const schema = inferSchema(sample, { withExamples: false });
    return { [String(code)]: { description: "", content: { "application/json": { schema } } } };
  }
  return {};
}
