import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { mergeAllOf, propertiesOf } from "./merge-all-of.ts";
import { objectAt } from "./open-document.ts";
import type { OpenDocument } from "./open-document.ts";
import type { OutputKind, OutputPlan, OutputProperty, OutputType } from "./plan.ts";
import { mainTypeOf } from "./schema-values.ts";
import { toLine } from "./text.ts";

const maxProperties = 100;
const maxDescription = 200;

/** A successful answer of an operation. */
export type Answer = {
  mediaType: string | undefined;
  schema: Json | undefined;
  /** Whether one of its media types may have no end. */
  isStream: boolean;
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
  const types = Object.keys(content);
  const headers = Object.keys(objectAt(success, "headers"));
  const common = {
    isStream: types.some((type) => stream.test(type)),
    hasLinkHeader: headers.some((name) => name.toLowerCase() === "link"),
  };
  const schemaOf = (type: string) => {
    const media = document.follow(content[type]);
    return isObject(media) ? (own(media, "schema") ?? own(media, "itemSchema")) : undefined;
  };
  const [first] = types.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (first === undefined) return { mediaType: undefined, schema: undefined, ...common };
  const schema = schemaOf(first);
  const target = document.follow(schema);
  // Documents list all types of an API for each operation, also where it returns a text such as a log.
  const isText = isObject(target) && mainTypeOf(target) === "string";
  const text = isText ? types.find((type) => /^text\/(?!event-stream)/i.test(type)) : undefined;
  return { mediaType: text ?? first, schema, ...common };
}

/** Media types of responses that may have no end. */
const stream = /event-stream|stream=watch|ndjson|jsonl|json-seq/i;

/** Media types of responses, the preferred first. Other types are between `application/*` and streams. */
const preferences: readonly RegExp[] = [
  /^application\/json$/i,
  /^application\/(?:[\w.-]+\+)?json\b(?!.*stream=watch|-seq)/i,
  /^\*\/\*|^application\/\*/,
  /^text\/(?!event-stream)/i,
];

function rankOf(type: string): number {
  const rank = preferences.findIndex((preference) => preference.test(type));
  if (rank !== -1) return rank;
  return stream.test(type) ? preferences.length + 1 : preferences.length;
}

function hasContent(response: JsonObject): boolean {
  return Object.keys(objectAt(response, "content")).length > 0;
}

/** What the tool returns. All properties may be missing, since answers often differ from their description. */
export function planOutput(
  document: OpenDocument,
  { mediaType, schema, isStream }: Pick<Answer, "mediaType" | "schema" | "isStream">,
): OutputPlan {
  const target = document.follow(schema);
  const kind = kindOf(document, mediaType, target);
  const plan = { kind, mediaType, isStream };
  if (kind !== "object") return { ...plan, properties: fixedProperties[kind] };
  const properties = propertiesOf(mergeAllOf(document, target) ?? {});
  const described = Object.entries(properties)
    .filter(([name]) => name !== "" && name.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(name))
    .flatMap(([name, property]) => {
      const resolved = document.follow(property);
      return isObject(resolved) && own(resolved, "writeOnly") === true
        ? []
        : [describeProperty(document, name, resolved)];
    });
  return { ...plan, properties: withinSize(described.slice(0, maxProperties)) };
}

const fixedProperties: Readonly<Record<Exclude<OutputKind, "object">, OutputProperty[]>> = {
  list: [{ name: "items", type: "array", description: "The list that the API returned." }],
  value: [{ name: "result", description: "The response of the API if it isn't a JSON object." }],
  text: [{ name: "text", type: "string", description: "The text that the API returned." }],
  file: [
    {
      name: "file",
      type: "object",
      description: "The file that the API returned: fileId, fileName, mimeType, size and url.",
    },
  ],
  none: [
    {
      name: "status",
      type: "integer",
      description: "The HTTP status of a response without content.",
    },
  ],
};

function kindOf(
  document: OpenDocument,
  mediaType: string | undefined,
  schema: Json | undefined,
): OutputKind {
  if (mediaType === undefined) return "none";
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
  return { name, description, ...shapeOf(document, target) };
}

/** The type of a value, and one level of what it contains. */
function shapeOf(
  document: OpenDocument,
  schema: JsonObject,
): Omit<OutputProperty, "name" | "description"> {
  const type = typeOf(document, schema);
  if (type === undefined) return {};
  if (type === "array") {
    const items = document.follow(own(schema, "items"));
    const itemType = isObject(items) ? typeOf(document, items) : undefined;
    if (!isObject(items) || itemType === undefined) return { type };
    return { type, items: { type: itemType, ...membersOf(document, itemType, items) } };
  }
  return { type, ...membersOf(document, type, schema) };
}

const maxMembers = 50;

function membersOf(
  document: OpenDocument,
  type: OutputType,
  schema: JsonObject,
): { properties?: JsonObject } {
  if (type !== "object") return {};
  const members = Object.entries(propertiesOf(mergeAllOf(document, schema) ?? {}))
    .filter(([name]) => name !== "" && name.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(name))
    .slice(0, maxMembers)
    .map(([name, written]) => {
      const member = document.follow(written);
      const memberType = isObject(member) ? typeOf(document, member) : undefined;
      return [name, memberType === undefined ? {} : { type: memberType }] as const;
    });
  return members.length === 0 ? {} : { properties: Object.fromEntries(members) };
}

/** Agents read the output of each tool, so what its properties contain is left out where that is long. */
const maxShapeLength = 4_000;

function withinSize(properties: readonly OutputProperty[]): OutputProperty[] {
  let length = 0;
  return properties.map((property) => {
    const { items, properties: members, ...plain } = property;
    length += JSON.stringify({ items, members }).length;
    if (length <= maxShapeLength) return property;
    return items?.["type"] === undefined ? plain : { ...plain, items: { type: items["type"] } };
  });
}

const outputTypes: readonly OutputType[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
];

/** The type of a property; undefined if its alternatives have several. */
function typeOf(document: OpenDocument, schema: JsonObject): OutputType | undefined {
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
  return types.size === 1 ? outputTypes.find((name) => name === only) : undefined;
}
