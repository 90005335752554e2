import { upgrade } from "@scalar/openapi-upgrader";
import { isObject, objectsAt, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { ParsedDocument } from "./parse-document.ts";
import { referenceOf, toSegments, UnusableError, valueAt, wrapAt } from "./references.ts";
import type { DocumentFormat } from "./types.ts";

/** A parsed document, of which every part is read as OpenAPI 3.1. */
export type OpenDocument = {
  root: JsonObject;
  format: DocumentFormat;
  /**
   * Follows references, from `value` on, to a value that is none. Undefined if a target is missing or refers to itself.
   * Throws `UnusableError` for references to other documents.
   */
  follow(value: Json | undefined): Json | undefined;
  /** An operation as OpenAPI 3.1, with the parameters of its path, and without references in `parameters`. */
  upgradeOperation(path: string, method: string, operation: JsonObject): JsonObject;
  /** The security schemes as OpenAPI 3.1, by name. */
  securitySchemes(): JsonObject;
};

const maxSteps = 20;

/** The members of an operation that tools are made from. Others, such as `callbacks`, are not even converted. */
const usedMembers = [
  "operationId",
  "summary",
  "description",
  "tags",
  "deprecated",
  "requestBody",
  "security",
  "servers",
  "consumes",
  "produces",
] as const;

/** Where Swagger 2 has what OpenAPI 3 has under `components`. */
const swaggerPlaces: Readonly<Record<string, string>> = {
  schemas: "definitions",
  parameters: "parameters",
  responses: "responses",
};

/**
 * Older formats are converted part by part, when a part is used. So a document is not refused for a fault in an
 * unused part, and most of a large document is never copied.
 */
export function openDocument({ root, format }: ParsedDocument): OpenDocument {
  const isSwagger = format === "swagger-2.0";
  const isCurrent = !isSwagger && format !== "openapi-3.0";
  const upgraded = new Map<string, Json | undefined>();

  const convert = (segments: readonly string[], value: Json): Json | undefined => {
    try {
      return isSwagger ? convertSwagger(root, segments, value) : convert30(segments, value);
    } catch {
      throw new UnusableError("It uses a part of the document that is not valid.");
    }
  };

  const find = (reference: string): Json | undefined => {
    const segments = toSegments(reference);
    if (segments === undefined) return undefined;
    const place = placeOf(format, segments);
    const value = valueAt(root, place);
    if (value === undefined || isCurrent || typeof value !== "object") return value;
    const key = place.join("\n");
    if (!upgraded.has(key)) upgraded.set(key, convert(place, value));
    return upgraded.get(key);
  };

  return {
    root,
    format,
    follow: (start) => followWith(start, find),
    upgradeOperation(path, method, operation) {
      const item = followWith(own(objectAt(root, "paths"), path), (reference) =>
        valueAt(root, toSegments(reference) ?? []),
      );
      const parameters = collectParameters(root, format, [
        ...(isObject(item) ? objectsAt(item, "parameters") : []),
        ...objectsAt(operation, "parameters"),
      ]);
      const used = usedMembers.flatMap((name) => {
        const value = own(operation, name);
        return value === undefined ? [] : [[name, value] as const];
      });
      const responses = successesOf(objectAt(operation, "responses"));
      const whole: JsonObject = {
        ...Object.fromEntries(used),
        ...marksOf(operation),
        parameters,
        responses,
      };
      const converted = isCurrent ? whole : convert(["paths", path, method], whole);
      return isObject(converted) ? converted : {};
    },
    securitySchemes() {
      const place = format === "swagger-2.0" ? ["securityDefinitions"] : schemePlace;
      const schemes = valueAt(root, place);
      if (!isObject(schemes)) return {};
      return format === "swagger-2.0" ? convertSchemes(schemes) : schemes;
    },
  };
}

function convert30(segments: readonly string[], value: Json): Json | undefined {
  const part = wrapAt(segments, value) as JsonObject;
  return valueAt(upgrade({ openapi: "3.0.4", ...part }, "3.1"), segments);
}

function convertSwagger(
  root: JsonObject,
  segments: readonly string[],
  value: Json,
): Json | undefined {
  const [first = "", ...rest] = segments;
  const isMoved = Object.values(swaggerPlaces).includes(first);
  const place = isMoved ? ["components", nameIn3(first), ...rest] : segments;
  const types = ["consumes", "produces"].flatMap((name) => {
    const list = own(root, name);
    return Array.isArray(list) ? [[name, list] as const] : [];
  });
  // The converter changes its input.
  const part = wrapAt(segments, structuredClone(value)) as JsonObject;
  const document = { swagger: "2.0", ...Object.fromEntries(types), ...part };
  return valueAt(upgrade(document, "3.1"), place);
}

const schemePlace = ["components", "securitySchemes"];

function nameIn3(place: string): string {
  return place === "definitions" ? "schemas" : place;
}

/** Where the original document has the target of a converted reference. */
function placeOf(format: DocumentFormat, segments: readonly string[]): readonly string[] {
  const [first, kind = "", ...rest] = segments;
  const place = swaggerPlaces[kind];
  return format === "swagger-2.0" && first === "components" && place !== undefined
    ? [place, ...rest]
    : segments;
}

function followWith(
  start: Json | undefined,
  find: (reference: string) => Json | undefined,
): Json | undefined {
  let value = start;
  for (let step = 0; step < maxSteps; step += 1) {
    const reference = referenceOf(value);
    if (reference === undefined) return value;
    value = find(reference);
  }
  return undefined;
}

/**
 * Parameters by place and name, where those of the operation replace those of the path. They are resolved before the
 * conversion, which handles bodies of Swagger 2 only where they are written out.
 */
function collectParameters(
  root: JsonObject,
  format: DocumentFormat,
  declared: readonly JsonObject[],
): JsonObject[] {
  const parameters = new Map<string, JsonObject>();
  for (const written of declared) {
    const parameter = followWith(written, (reference) =>
      valueAt(root, placeOf(format, toSegments(reference) ?? [])),
    );
    if (!isObject(parameter)) {
      throw new UnusableError("One of its parameters refers to something that does not exist.");
    }
    const [name, place] = [textAt(parameter, "name"), textAt(parameter, "in")];
    if (name === undefined || place === undefined) {
      throw new UnusableError('One of its parameters has no "name" or no "in".');
    }
    parameters.set(place === "body" ? place : `${place} ${name}`, parameter);
  }
  return [...parameters.values()];
}

/** Only these describe what the tool returns. */
function successesOf(responses: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(responses).filter(
      ([status, response]) => /^(?:2(?:\d\d|XX)|default)$/i.test(status) && isObject(response),
    ),
  );
}

/** Extensions by which documents mark operations that need a person's consent. */
const marks = ["x-openai-isConsequential", "x-confirm", "x-destructive"] as const;

function marksOf(operation: JsonObject): JsonObject {
  return Object.fromEntries(
    marks.filter((name) => own(operation, name) === true).map((name) => [name, true]),
  );
}

/** Whether the document says that the operation has effects that cannot be undone. */
export function isMarked(operation: JsonObject): boolean {
  return marks.some((name) => own(operation, name) === true);
}

function convertSchemes(schemes: JsonObject): JsonObject {
  const converted = Object.entries(schemes).flatMap(([name, scheme]): [string, Json][] => {
    if (!isObject(scheme)) return [];
    const document = { swagger: "2.0", securityDefinitions: { [name]: structuredClone(scheme) } };
    const found = valueAt(upgrade(document, "3.1"), [...schemePlace, name]);
    return found === undefined ? [] : [[name, found]];
  });
  return Object.fromEntries(converted);
}

/** The member if it is an object; an empty one otherwise. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = own(object, name);
  return isObject(value) ? value : {};
}
