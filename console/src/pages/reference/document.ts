import { isObject, objectsAt, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";

export type Place = "path" | "query" | "header";

export type Parameter = {
  name: string;
  place: Place;
  isRequired: boolean;
  description: string;
  schema: JsonObject;
};

/** A body in one media type. */
export type Body = { mediaType: string; schema: JsonObject };

type ResponseHeader = { name: string; description: string };

export type Answer = {
  status: string;
  description: string;
  headers: readonly ResponseHeader[];
  bodies: readonly Body[];
};

/** An error that the operation can return. */
export type ErrorCode = { status: string; code: string; title: string };

/** Who may call an operation: requests of webhooks are sent by the service. */
export type Access = "key" | "session" | "none" | "webhook";

export type Operation = {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  access: Access;
  parameters: readonly Parameter[];
  bodies: readonly Body[];
  isBodyRequired: boolean;
  answers: readonly Answer[];
  errors: readonly ErrorCode[];
};

export type Reference = {
  operations: readonly Operation[];
  /** The document, in which references to schemas are looked up. */
  root: JsonObject;
};

const methods = ["get", "post", "put", "patch", "delete"];
const places: readonly Place[] = ["path", "query", "header"];

/** Reads the parts of an OpenAPI document that the page shows. What has another shape is left out. */
export function readDocument(root: JsonObject): Reference {
  const operations = (member: string) =>
    entriesOf(root, member).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = own(item, method);
        if (!isObject(operation)) return [];
        return [readOperation(operation, method, path, member === "webhooks")];
      }),
    );
  return { root, operations: [...operations("paths"), ...operations("webhooks")] };
}

function readOperation(
  operation: JsonObject,
  method: string,
  path: string,
  isWebhook: boolean,
): Operation {
  const body = own(operation, "requestBody");
  const responses = entriesOf(operation, "responses");
  return {
    id: textAt(operation, "operationId") ?? `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    tag: firstText(own(operation, "tags")) ?? "",
    summary: textAt(operation, "summary") ?? path,
    description: textAt(operation, "description") ?? "",
    access: isWebhook ? "webhook" : accessOf(operation),
    parameters: objectsAt(operation, "parameters").flatMap(readParameter),
    bodies: isObject(body) ? bodiesOf(body) : [],
    isBodyRequired: isObject(body) && body["required"] === true,
    answers: responses.filter((entry) => isWebhook || !isError(entry)).map(readAnswer),
    errors: responses.filter((entry) => !isWebhook && isError(entry)).flatMap(readErrors),
  };
}

function isError([status]: readonly [string, JsonObject]): boolean {
  return /^[45]/.test(status);
}

function accessOf(operation: JsonObject): Access {
  if (!Array.isArray(operation["security"])) return "key";
  const schemes = objectsAt(operation, "security").flatMap((scheme) => Object.keys(scheme));
  if (schemes.length === 0) return "none";
  return schemes.includes("apiKey") ? "key" : "session";
}

function readParameter(parameter: JsonObject): Parameter[] {
  const place = places.find((one) => one === parameter["in"]);
  const name = textAt(parameter, "name");
  if (place === undefined || name === undefined) return [];
  const schema = own(parameter, "schema");
  return [
    {
      name,
      place,
      isRequired: parameter["required"] === true,
      description: textAt(parameter, "description") ?? "",
      schema: isObject(schema) ? schema : {},
    },
  ];
}

function readAnswer([status, response]: readonly [string, JsonObject]): Answer {
  return {
    status,
    description: textAt(response, "description") ?? "",
    headers: entriesOf(response, "headers").map(([name, header]) => ({
      name,
      description: textAt(header, "description") ?? "",
    })),
    bodies: bodiesOf(response),
  };
}

/** The document describes the codes of a status as "`code`: Title." in one text. */
function readErrors([status, response]: readonly [string, JsonObject]): ErrorCode[] {
  const text = textAt(response, "description") ?? "";
  const codes = [...text.matchAll(/`(\w+)`: ([^`]*?)\.?(?= `|$)/g)];
  return codes.map(([, code = "", title = ""]) => ({ status, code, title }));
}

function bodiesOf(holder: JsonObject): Body[] {
  return entriesOf(holder, "content").map(([mediaType, content]) => {
    const schema = own(content, "schema");
    return { mediaType, schema: isObject(schema) ? schema : {} };
  });
}

function entriesOf(object: JsonObject, member: string): (readonly [string, JsonObject])[] {
  const value = own(object, member);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => (isObject(item) ? [[name, item]] : []));
}

function firstText(value: Json | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : undefined;
  return typeof first === "string" ? first : undefined;
}

/** The operations that contain every word, by tag, in the order of the document. */
export function findOperations(
  operations: readonly Operation[],
  words: string,
): ReadonlyMap<string, Operation[]> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.filter(({ id, method, path, tag, summary, description }) => {
    const text = [id, method, path, tag, summary, description].join("\n").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return Map.groupBy(found, ({ tag }) => tag);
}
