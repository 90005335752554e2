import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { exampleOf, exampleOfSchema } from "./examples.ts";
import { mergeAllOf, propertiesOf, requiredOf } from "./merge-all-of.ts";
import { objectAt } from "./open-document.ts";
import type { OpenDocument } from "./open-document.ts";
import type { BodyKind, BodyPlan, Field } from "./plan.ts";
import { isTokenName, serializationOf } from "./plan-parameters.ts";
import { UnusableError } from "./references.ts";
import { isBinary, isReadOnly, mainTypeOf } from "./schema-values.ts";
import type { Method, SecurityScheme } from "./types.ts";

const noBody: BodyPlan = { kind: "none", mediaType: "", isRequired: false, fields: [], notes: [] };

/** Media types of bodies, the preferred first. */
const preferences: readonly RegExp[] = [
  /^application\/json *(?:;|$)/i,
  /^application\/merge-patch\+json\b/i,
  /^application\/(?!json-patch)[\w.+-]+\+json\b/i,
  /json/i,
  /^\*\/\*|^application\/\*/,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\//i,
  /^text\//i,
];

/** How the body of an operation is made from fields of the input. */
export function planBody(
  document: OpenDocument,
  operation: JsonObject,
  { method, schemes }: { method: Method; schemes: readonly SecurityScheme[] },
): BodyPlan {
  const declared = own(operation, "requestBody");
  if (declared === undefined) return noBody;
  const request = document.follow(declared);
  if (!isObject(request)) {
    throw new UnusableError("Its request body refers to something that does not exist.");
  }
  const content = objectAt(request, "content");
  const mediaType = pickMediaType(Object.keys(content));
  if (mediaType === undefined) return noBody;
  if (method === "GET" || method === "HEAD") {
    return {
      ...noBody,
      notes: [`Requests of the method ${method} have no body, so it is not sent.`],
    };
  }
  const media = document.follow(content[mediaType]);
  const plan = {
    document,
    request,
    media: describePatch(document, mediaType, isObject(media) ? media : {}),
    isRequired: own(request, "required") === true,
    schemes,
  };
  const kind = kindOf(mediaType);
  const sent = mediaType.includes("*") && kind === "json" ? "application/json" : mediaType;
  const { fields, notes } = fieldsOf(plan, kind);
  return { kind, mediaType: sent, isRequired: plan.isRequired, fields, notes };
}

/** RFC 6902, section 4. */
const jsonPatch = {
  type: "array",
  description: "The changes, in the order in which they are applied (JSON Patch).",
  items: {
    type: "object",
    required: ["op", "path"],
    properties: {
      op: { enum: ["add", "remove", "replace", "move", "copy", "test"] },
      path: { type: "string", description: "A JSON Pointer such as /metadata/name." },
      from: { type: "string", description: 'The JSON Pointer of the source of "move" and "copy".' },
      value: {},
    },
  },
};

/** Documents describe a JSON Patch as an object, or as the resource. */
function describePatch(document: OpenDocument, mediaType: string, media: JsonObject): JsonObject {
  if (!/^application\/json-patch\+json\b/i.test(mediaType)) return media;
  const schema = document.follow(own(media, "schema"));
  const isList = isObject(schema) && mainTypeOf(schema) === "array";
  return isList ? media : { schema: jsonPatch };
}

function pickMediaType(types: readonly string[]): string | undefined {
  const found = preferences.flatMap(
    (preference) => types.find((type) => preference.test(type)) ?? [],
  );
  return found[0] ?? types[0];
}

function kindOf(mediaType: string): BodyKind {
  if (/json|^\*\/\*|^application\/\*/i.test(mediaType)) return "json";
  if (/^application\/x-www-form-urlencoded\b/i.test(mediaType)) return "form";
  if (/^multipart\//i.test(mediaType)) return "multipart";
  return /^text\/|[/+](?:xml|yaml)\b/i.test(mediaType) ? "text" : "binary";
}

type Request = {
  document: OpenDocument;
  request: JsonObject;
  media: JsonObject;
  isRequired: boolean;
  schemes: readonly SecurityScheme[];
};

function fieldsOf(plan: Request, kind: BodyKind): { fields: Field[]; notes: string[] } {
  const { document, media } = plan;
  const schema = own(media, "schema") ?? {};
  if (kind === "text")
    return { fields: [wholeField(plan, { type: "string" }, "whole")], notes: [] };
  if (kind === "binary")
    return { fields: [wholeField(plan, { type: "string" }, "file")], notes: [] };
  const merged = mergeAllOf(document, schema);
  const isFlat = merged !== undefined && Object.keys(propertiesOf(merged)).length > 0;
  if (!isFlat || isObject(own(merged, "additionalProperties"))) {
    if (kind === "json") return { fields: [wholeField(plan, schema, "whole")], notes: [] };
    if (!isFlat) {
      throw new UnusableError("The fields of its form are not described.");
    }
  }
  const notes =
    own(merged, "additionalProperties") === true
      ? ["Only the declared fields of the body can be set."]
      : [];
  return { fields: propertyFields(plan, merged, kind), notes };
}

function wholeField(
  { document, request, media, isRequired }: Request,
  schema: Json,
  place: "whole" | "file",
): Field {
  const description = textAt(request, "description") ?? "";
  const fallback = place === "file" ? "The file to send." : "The body of the request.";
  return {
    name: "body",
    wireName: "",
    place,
    schema,
    description: description === "" ? fallback : description,
    isRequired: isRequired || place === "file",
    serialization: serializationOf({}, place, false),
    example: place === "file" ? undefined : exampleOf(document, media, schema),
  };
}

function propertyFields(plan: Request, merged: JsonObject, kind: BodyKind): Field[] {
  const { document, media, schemes } = plan;
  const encodings = objectAt(media, "encoding");
  const required = new Set(requiredOf(merged));
  const whole = exampleOf(document, media, own(media, "schema"));
  const declared = propertiesOf(merged);
  // Some documents require properties that they do not describe.
  const others = [...required].filter((name) => !Object.hasOwn(declared, name));
  const all = [...Object.entries(declared), ...others.map((name): [string, Json] => [name, {}])];
  return all.flatMap(([wireName, schema]): Field[] => {
    const target = document.follow(schema);
    if (isReadOnly(target) || (kind === "form" && isTokenName(wireName, schemes))) return [];
    const encoding = objectAt(encodings, wireName);
    const items = kind === "multipart" ? itemsOf(document, target) : undefined;
    const place = kind === "multipart" ? partPlace(target, items, encoding) : "body";
    const example = isObject(whole) ? own(whole, wireName) : exampleOfSchema(document, schema);
    const description = isObject(target) ? (textAt(target, "description") ?? "") : "";
    return [
      {
        name: wireName,
        wireName,
        place,
        schema: schemaOfPart(place, schema),
        description:
          place === "body" || place === "parts" ? "" : description || "The file to send.",
        // If the body is optional, its required fields are required only together.
        isRequired: required.has(wireName) && (plan.isRequired || kind !== "json"),
        serialization: serializationOf(encoding, "body", isJsonPart(encoding, [target, items])),
        example,
      },
    ];
  });
}

function partPlace(target: Json | undefined, items: Json | undefined, encoding: JsonObject) {
  const type = textAt(encoding, "contentType") ?? "";
  const isFile = /^(?:image|audio|video)\/|octet-stream|pdf|zip/i.test(type);
  if (isBinary(target) || (isFile && isObject(target) && mainTypeOf(target) === "string")) {
    return "file";
  }
  if (!isObject(target) || mainTypeOf(target) !== "array") return "body";
  if (isBinary(items)) return "files";
  return type === "" ? "parts" : "body";
}

function schemaOfPart(place: Field["place"], schema: Json): Json {
  if (place === "file") return { type: "string" };
  return place === "files" ? { type: "array", items: { type: "string" } } : schema;
}

/** Without a style, objects in forms are JSON, also in lists (OpenAPI 3.1.1, section 4.8.15). */
function isJsonPart(encoding: JsonObject, schemas: readonly (Json | undefined)[]): boolean {
  if (/json/i.test(textAt(encoding, "contentType") ?? "")) return true;
  const isStyled = Object.hasOwn(encoding, "style") || Object.hasOwn(encoding, "explode");
  return !isStyled && schemas.some((schema) => isObject(schema) && mainTypeOf(schema) === "object");
}

function itemsOf(document: OpenDocument, target: Json | undefined): Json | undefined {
  return isObject(target) ? document.follow(own(target, "items")) : undefined;
}
