import { isObject, objectsAt, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { exampleOf } from "./examples.ts";
import { objectAt } from "./open-document.ts";
import type { OpenDocument } from "./open-document.ts";
import type { Field, Place, Serialization } from "./plan.ts";
import { UnusableError } from "./references.ts";
import type { SecurityScheme } from "./types.ts";

const places: readonly Place[] = ["path", "query", "header", "cookie"];
/** OpenAPI ignores parameters of these names: the body, the answer and the credentials set them. */
const ownHeaders = new Set(["accept", "content-type", "authorization"]);
/** Parameters by which some documents declare the token a second time. */
const tokenNames = new Set(["token", "access_token"]);

/** Fields for the parameters of an operation, also for those in its path that it does not declare. */
export function planParameters(
  document: OpenDocument,
  operation: JsonObject,
  { path, schemes }: { path: string; schemes: readonly SecurityScheme[] },
): Field[] {
  const fields = objectsAt(operation, "parameters").flatMap((parameter) =>
    planParameter(document, parameter, schemes),
  );
  const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  const declared = new Set(
    fields.filter(({ place }) => place === "path").map(({ wireName }) => wireName),
  );
  return [
    ...fields.filter(({ place, wireName }) => place !== "path" || inPath.includes(wireName)),
    ...inPath.filter((name) => !declared.has(name)).map(undeclared),
  ];
}

function planParameter(
  document: OpenDocument,
  parameter: JsonObject,
  schemes: readonly SecurityScheme[],
): Field[] {
  const wireName = textAt(parameter, "name") ?? "";
  const place = textAt(parameter, "in");
  if (place === "querystring") {
    throw new UnusableError('It has a parameter in "querystring", which is not supported.');
  }
  const known = places.find((name) => name === place);
  if (known === undefined || isCredential(parameter, schemes)) return [];
  const [media] = Object.values(objectAt(parameter, "content"));
  const content = isObject(media) ? media : undefined;
  const schema = (content === undefined ? own(parameter, "schema") : own(content, "schema")) ?? {};
  return [
    {
      name: wireName,
      wireName,
      place: known,
      schema,
      description: textAt(parameter, "description") ?? "",
      isRequired: known === "path" || own(parameter, "required") === true,
      serialization: serializationOf(parameter, known, content !== undefined),
      example: exampleOf(document, parameter, schema),
    },
  ];
}

/** Credentials are sent by the tool's code, not by its callers. */
function isCredential(parameter: JsonObject, schemes: readonly SecurityScheme[]): boolean {
  const name = textAt(parameter, "name") ?? "";
  const place = textAt(parameter, "in");
  const isSame = (first: string) =>
    place === "header" ? first.toLowerCase() === name.toLowerCase() : first === name;
  if (place === "header" && ownHeaders.has(name.toLowerCase())) return true;
  if (schemes.some(({ apiKey }) => apiKey?.in === place && isSame(apiKey?.name ?? ""))) return true;
  return isTokenName(name, schemes) && (place === "query" || place === "header");
}

/** Whether a parameter or a field of the body repeats the token of an `Authorization` header. */
export function isTokenName(name: string, schemes: readonly SecurityScheme[]): boolean {
  const hasToken = schemes.some(({ kind }) => kind === "oauth2" || kind === "bearer");
  return hasToken && tokenNames.has(name.toLowerCase());
}

const styles = [
  "simple",
  "label",
  "matrix",
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
] as const;

/** The serialization that a parameter or an encoding declares, or the default of its place. */
export function serializationOf(
  declared: JsonObject,
  place: Place,
  isJson: boolean,
): Serialization {
  const usual = place === "path" || place === "header" ? "simple" : "form";
  const style = styles.find((name) => name === own(declared, "style")) ?? usual;
  const explode: Json | undefined = own(declared, "explode");
  return {
    style,
    isExploded: typeof explode === "boolean" ? explode : style === "form" || style === "deepObject",
    isReserved: own(declared, "allowReserved") === true,
    isJson,
  };
}

function undeclared(wireName: string): Field {
  return {
    name: wireName,
    wireName,
    place: "path",
    schema: { type: "string" },
    description: "",
    isRequired: true,
    serialization: { style: "simple", isExploded: false, isReserved: false, isJson: false },
    example: undefined,
  };
}
