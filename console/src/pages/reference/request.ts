import { isObject, own } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import type { Body, Operation, Parameter } from "./document.ts";
import { sampleOf } from "./schema.ts";

/** What the user entered. Parameters are by place and name. */
export type RequestValues = {
  parameters: ReadonlyMap<string, string>;
  mediaType: string | undefined;
  text: string;
  /** The requested media type of the response, for operations with several. */
  accept: string | undefined;
};

type PreparedBody =
  | { kind: "text"; mediaType: string; text: string }
  | { kind: "bytes"; mediaType: string }
  | { kind: "form"; field: string };

/** A request without its authentication. */
export type PreparedRequest = {
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  /** Whether a new Idempotency-Key has to be added. */
  needsNewId: boolean;
  body: PreparedBody | undefined;
};

export const idempotencyHeader = "Idempotency-Key";

export function keyOf({ place, name }: Parameter): string {
  return `${place}:${name}`;
}

/** Values to start from: the first media type with a sample, and nothing in the parameters. */
export function initialValues(root: JsonObject, { bodies }: Operation): RequestValues {
  const [body] = bodies;
  return {
    parameters: new Map(),
    mediaType: body?.mediaType,
    text: body === undefined ? "" : JSON.stringify(sampleOf(root, body.schema), null, 2),
    accept: undefined,
  };
}

/** The request with these values. In an example, required parameters without a value get one that shows what belongs there. */
export function prepareRequest(
  root: JsonObject,
  operation: Operation,
  values: RequestValues,
  { origin, isExample }: { origin: string; isExample: boolean },
): PreparedRequest {
  const given = operation.parameters.flatMap((parameter) => {
    const entered = values.parameters.get(keyOf(parameter)) ?? "";
    const value = entered === "" && isExample ? exampleOf(root, parameter) : entered;
    return value === "" ? [] : [{ ...parameter, value }];
  });
  const at = (place: Parameter["place"]) => given.filter((parameter) => parameter.place === place);
  const inPath = new Map(at("path").map(({ name, value }) => [name, value]));
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeURIComponent(inPath.get(name) ?? ""),
  );
  const query = new URLSearchParams(at("query").map(({ name, value }) => [name, value])).toString();
  const headers = [
    ...(values.accept === undefined ? [] : [["Accept", values.accept] as const]),
    ...at("header").map(({ name, value }) => [name, value] as const),
  ];
  const takesId = operation.parameters.some(({ name }) => name === idempotencyHeader);
  return {
    method: operation.method,
    url: `${origin}/api/v1${path}${query === "" ? "" : `?${query}`}`,
    headers,
    needsNewId: takesId && headers.every(([name]) => name !== idempotencyHeader),
    body: prepareBody(operation, values),
  };
}

function exampleOf(root: JsonObject, { name, place, isRequired, schema }: Parameter): string {
  if (!isRequired || name === idempotencyHeader) return "";
  if (place === "path") return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase();
  const sample = sampleOf(root, schema);
  return typeof sample === "string" ? sample : JSON.stringify(sample);
}

function prepareBody({ bodies, isBodyRequired }: Operation, values: RequestValues) {
  const body = bodies.find(({ mediaType }) => mediaType === values.mediaType);
  if (body === undefined) return undefined;
  if (!isFileBody(body)) {
    if (values.text.trim() === "" && !isBodyRequired) return undefined;
    return { kind: "text", mediaType: body.mediaType, text: values.text } as const;
  }
  if (body.mediaType !== "multipart/form-data") {
    return { kind: "bytes", mediaType: body.mediaType } as const;
  }
  const properties = own(body.schema, "properties");
  const [field = "file"] = isObject(properties) ? Object.keys(properties) : [];
  return { kind: "form", field } as const;
}

/** The media types in which the operation can respond. The first is the default. */
export function responseTypesOf({ answers }: Operation): string[] {
  const types = answers.flatMap(({ bodies }) => bodies.map(({ mediaType }) => mediaType));
  return [...new Set(types)].filter((type) => !type.includes("*"));
}

/** Whether the body is a file to choose, not text to edit. */
export function isFileBody({ mediaType }: Body): boolean {
  return !/^(?:text\/|application\/(?:[\w.-]+\+)?json$)/.test(mediaType);
}
