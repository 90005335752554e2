import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { mergeAllOf, propertiesOf } from "./merge-all-of.ts";
import { objectAt } from "./open-document.ts";
import type { OpenDocument } from "./open-document.ts";
import type { OutputKind, OutputPlan, OutputProperty, OutputType } from "./plan.ts";
import { pickMediaType } from "./plan-body.ts";
import { mainTypeOf } from "./schema-values.ts";
import { toLine } from "./text.ts";

const maxProperties = 100;
const maxDescription = 200;

/** A successful answer of an operation. */
export type Answer = {
  mediaType: string | undefined;
  schema: Json | undefined;
  /** Whether it has a `Link` header (RFC 8288), which may name the next page. */
  hasLinkHeader: boolean;
};

/** The answer that a tool of the operation returns: the success with the lowest status that has content. */
export function answerOf(document: OpenDocument, operation: JsonObject): Answer {
  const responses = Object.entries(objectAt(operation, "responses"))
    .toSorted(([first], [second]) => first.localeCompare(second))
    .flatMap(([, written]) => {
      const response = document.follow(written);
      return isObject(response) ? [response] : [];
    });
  const success = responses.find(hasContent) ?? {};
  const content = objectAt(success, "content");
  const mediaType = pickMediaType(Object.keys(content));
  const headers = Object.keys(objectAt(success, "headers"));
  const hasLinkHeader = headers.some((name) => name.toLowerCase() === "link");
  if (mediaType === undefined) return { mediaType, schema: undefined, hasLinkHeader };
  const media = document.follow(content[mediaType]);
  const schema = isObject(media) ? (own(media, "schema") ?? own(media, "itemSchema")) : undefined;
  return { mediaType, schema, hasLinkHeader };
}

function hasContent(response: JsonObject): boolean {
  return Object.keys(objectAt(response, "content")).length > 0;
}

/** What the tool returns. All properties may be missing, since answers often differ from their description. */
export function planOutput(
  document: OpenDocument,
  { mediaType, schema }: Pick<Answer, "mediaType" | "schema">,
): OutputPlan {
  const target = document.follow(schema);
  const kind = kindOf(document, mediaType, target);
  if (kind !== "object") return { kind, mediaType, properties: fixedProperties[kind] };
  const properties = propertiesOf(mergeAllOf(document, target) ?? {});
  const described = Object.entries(properties)
    .filter(([name]) => name !== "" && name.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(name))
    .flatMap(([name, property]) => {
      const resolved = document.follow(property);
      return isObject(resolved) && own(resolved, "writeOnly") === true
        ? []
        : [describeProperty(document, name, resolved)];
    });
  return { kind, mediaType, properties: described.slice(0, maxProperties) };
}

const fixedProperties: Readonly<Record<Exclude<OutputKind, "object">, OutputProperty[]>> = {
  list: [{ name: "items", type: "array", description: "The list that the API returned." }],
  value: [{ name: "result", type: "any", description: "What the API returned." }],
  text: [{ name: "text", type: "string", description: "The text that the API returned." }],
  file: [
    {
      name: "file",
      type: "object",
      description: "The file that the API returned: fileId, fileName, mimeType, size and url.",
    },
  ],
  status: [{ name: "status", type: "integer", description: "The HTTP status of the response." }],
};

function kindOf(
  document: OpenDocument,
  mediaType: string | undefined,
  schema: Json | undefined,
): OutputKind {
  if (mediaType === undefined) return "status";
  if (/^text\/|[/+](?:xml|yaml)\b|ndjson|jsonl|json-seq/i.test(mediaType)) return "text";
  const type = isObject(schema) ? mainTypeOf(schema) : undefined;
  if (mediaType.includes("*")) {
    if (type === "string") return "text";
    if (!isObject(schema) || Object.keys(schema).length === 0) return "file";
  } else if (!/json/i.test(mediaType)) return "file";
  if (type === "array") return "list";
  const merged = mergeAllOf(document, schema);
  const hasProperties = merged !== undefined && Object.keys(propertiesOf(merged)).length > 0;
  return hasProperties ? "object" : "value";
}

function describeProperty(
  document: OpenDocument,
  name: string,
  schema: Json | undefined,
): OutputProperty {
  const target = isObject(schema) ? schema : {};
  const description = toLine(
    textAt(target, "description") ?? textAt(target, "title"),
    maxDescription,
  );
  return { name, type: typeOf(document, target), description };
}

const outputTypes: readonly OutputType[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
];

/** The type of a property; `any` if its alternatives have several. */
function typeOf(document: OpenDocument, schema: JsonObject): OutputType {
  const type = mainTypeOf(schema);
  const declared = outputTypes.find((name) => name === type);
  if (declared !== undefined) return declared;
  if (mergeAllOf(document, schema) !== undefined && Object.hasOwn(schema, "allOf")) return "object";
  const alternatives = [own(schema, "oneOf"), own(schema, "anyOf")].find(Array.isArray) ?? [];
  const types = new Set(
    alternatives.flatMap((alternative) => {
      const target = document.follow(alternative);
      const found = isObject(target) ? mainTypeOf(target) : undefined;
      return found === "null" ? [] : [found];
    }),
  );
  const [only] = types;
  return types.size === 1 ? (outputTypes.find((name) => name === only) ?? "any") : "any";
}
