import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { isSecretName, isSecretValue } from "@toolhost/tool-schema/secrets";
import { inferSchema } from "./infer-schema.ts";
import { descriptionOf, exampleOf, listOf, replaceVariables } from "./values.ts";

/** The longest JSON text of which a schema is made. */
const maxText = 1_000_000;

/** The content of a request body, by media type; undefined if it has none. */
export function readBody(body: Json | undefined, contentType: string): JsonObject | undefined {
  if (!isObject(body) || own(body, "disabled") === true) return undefined;
  const mode = textAt(body, "mode");
  if (mode === "urlencoded" || mode === "formdata") return readForm(body, mode);
  if (mode === "graphql") return { "application/json": { schema: graphql(own(body, "graphql")) } };
  if (mode === "file") return { [contentType || "application/octet-stream"]: {} };
  const raw = textAt(body, "raw") ?? "";
  if (mode !== "raw" || raw.trim() === "") return undefined;
  const options = own(body, "options");
  const rawOptions = isObject(options) ? own(options, "raw") : undefined;
  const language = isObject(rawOptions) ? textAt(rawOptions, "language") : undefined;
  const isOther = contentType !== "" && !/json/i.test(contentType);
  const sample = isOther ? undefined : parseJson(raw);
  if (sample !== undefined) {
    const schema = inferSchema(sample, { withExamples: true });
    return { [contentType || "application/json"]: { schema } };
  }
  if (!isOther && (language === "json" || contentType !== "")) {
    return { [contentType || "application/json"]: { schema: {} } };
  }
  const usual = language === "xml" || language === "html" ? `text/${language}` : "text/plain";
  return { [contentType || usual]: { schema: { type: "string" } } };
}

function readForm(body: JsonObject, mode: "urlencoded" | "formdata"): JsonObject | undefined {
  const fields = listOf(own(body, mode)).flatMap((field): [string, JsonObject][] => {
    const name = textAt(field, "key") ?? "";
    if (name === "" || name === "__proto__") return [];
    const isFile = textAt(field, "type") === "file";
    const description = descriptionOf(field);
    const schema = {
      type: "string",
      ...(isFile ? { format: "binary" } : exampleOf(name, own(field, "value"))),
      ...(isSecretName(name) ? { format: "password", writeOnly: true } : {}),
      ...(description === "" ? {} : { description }),
    };
    return [[name, schema]];
  });
  if (fields.length === 0) return undefined;
  const type = mode === "formdata" ? "multipart/form-data" : "application/x-www-form-urlencoded";
  return { [type]: { schema: { type: "object", properties: Object.fromEntries(fields) } } };
}

function graphql(value: Json | undefined): JsonObject {
  const query = isObject(value) ? own(value, "query") : undefined;
  return {
    type: "object",
    required: ["query"],
    properties: {
      query: {
        type: "string",
        description: "The GraphQL document.",
        ...(typeof query === "string" && query.length <= 2_000 && !isSecretValue(query)
          ? { example: query }
          : {}),
      },
      variables: { type: "object", description: "The values of the document's variables." },
    },
  };
}

/** JSON in which variables stand for values, also without quotes. Undefined if it is none. */
export function parseJson(text: string): Json | undefined {
  if (text.length > maxText) return undefined;
  for (const candidate of [text, withoutVariables(text)]) {
    try {
      return JSON.parse(candidate) as Json;
    } catch {
      // Not JSON in this form.
    }
  }
  return undefined;
}

/** Variables and placeholders such as <id> outside of texts become null, and commas without a value are dropped. */
function withoutVariables(text: string): string {
  // A text without its end is one token, since looking for the end again would take quadratic time.
  const tokens = text.match(/"(?:[^"\\]|\\.)*"?|[^"]+/gs) ?? [];
  return tokens.map((token) => (token.startsWith('"') ? token : withNulls(token))).join("");
}

function withNulls(part: string): string {
  return replaceVariables(part, () => "null")
    .replaceAll(/<[^<>{}"]{1,100}>/g, "null")
    .replaceAll(/,(?=\s{0,100}[}\]])/g, "");
}
