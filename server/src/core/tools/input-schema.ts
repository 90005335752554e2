import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { ErrorDetail, JsonObject } from "@toolhost/contract";
import { boundTime, TookTooLongError } from "#lib/bounded";
import { pointerParts, positionIn } from "#lib/json-position";

/** Says what is wrong with an input, everything at once; nothing when it is right. */
export type InputValidator = (input: unknown, size: number) => ErrorDetail[];

const draft = "https://json-schema.org/draft/2020-12/schema";
const settings = { strict: false, logger: false, validateFormats: true } as const;
const compileLimitMs = 1_000;
const validateLimitMs = 250;
/** Above this many characters only the first error is told: a list for each item would not fit in memory. */
const allErrorsLimit = 128 * 1024;
const errorLimit = 100;

/** Checks schemas against the meta-schema of their dialect; kept, since making it costs 30 ms. */
const metaAjv = new Ajv2020({ ...settings, allErrors: true });

/**
 * What is wrong with a schema as JSON Schema 2020-12, with the line and column in the schema as it stands
 * with two spaces of indent.
 */
export function checkInputSchema(schema: JsonObject): ErrorDetail[] {
  if ("$schema" in schema && schema["$schema"] !== draft) {
    return [problemAt(schema, "/$schema", `must be "${draft}", or left out`)];
  }
  if (schema["type"] !== "object") {
    return [problemAt(schema, "/type", 'must be "object": a tool\'s input is an object')];
  }
  const checkMeta = metaAjv.getSchema(draft);
  if (checkMeta !== undefined && checkMeta(schema) !== true) {
    return (checkMeta.errors ?? [])
      .slice(0, errorLimit)
      .map((error) => problemAt(schema, error.instancePath, error.message ?? "is not valid"));
  }
  try {
    compileInputSchema(schema)({}, 2);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [problemAt(schema, placeOfReference(schema, message), message)];
  }
}

/** Compiles a schema that {@link checkInputSchema} found right. */
export function compileInputSchema(schema: JsonObject): InputValidator {
  const { $schema: _, ...body } = schema;
  const compile = (allErrors: boolean) => {
    return boundTime(compileLimitMs, () => {
      // An instance each, so that the $id of one tool's schema is not seen by another's.
      const ajv = new Ajv2020({ ...settings, allErrors, meta: false, validateSchema: false });
      addFormats.default(ajv);
      return ajv.compile(body);
    });
  };
  const validateAll = compile(true);
  let validateFirst: ValidateFunction | undefined;
  const needsBound = mayTakeLong(body);
  return (input, size) => {
    const validate = size > allErrorsLimit ? (validateFirst ??= compile(false)) : validateAll;
    try {
      const isValid = needsBound
        ? boundTime(validateLimitMs, () => validate(input))
        : validate(input);
      return isValid ? [] : toDetails(validate.errors ?? []);
    } catch (error) {
      if (error instanceof TookTooLongError || error instanceof RangeError) {
        return [{ path: "", message: "is too intricate for the tool's schema to be checked" }];
      }
      throw error;
    }
  };
}

/** Keywords with which a hostile schema or input can make validation take exponential time. */
const costlyKeywords = new Set([
  "$ref",
  "$dynamicRef",
  "pattern",
  "patternProperties",
  "uniqueItems",
  "contains",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "format",
  "propertyNames",
]);

function mayTakeLong(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => costlyKeywords.has(name) || mayTakeLong(member),
  );
}

function toDetails(errors: readonly ErrorObject[]): ErrorDetail[] {
  return (
    errors
      // What an alternative says stands in the error of its branches already.
      .filter(({ keyword }) => keyword !== "if")
      .slice(0, errorLimit)
      .map((error) => toDetail(error))
  );
}

function toDetail({ instancePath, keyword, params, message }: ErrorObject): ErrorDetail {
  const below = (name: unknown) =>
    `${instancePath}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  if (keyword === "required")
    return { path: below(params["missingProperty"]), message: "is required" };
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") {
    const name = params["additionalProperty"] ?? params["unevaluatedProperty"];
    return { path: below(name), message: "is not a field of this tool" };
  }
  if (keyword === "enum") {
    return {
      path: instancePath,
      message: `must be one of ${JSON.stringify(params["allowedValues"])}`,
    };
  }
  if (keyword === "const") {
    return { path: instancePath, message: `must be ${JSON.stringify(params["allowedValue"])}` };
  }
  return { path: instancePath, message: message ?? "is not valid" };
}

function problemAt(schema: JsonObject, pointer: string, message: string): ErrorDetail {
  const position = positionIn(schema, pointerParts(pointer));
  return { path: `/inputSchema${pointer}`, message, file: "inputSchema.json", ...position };
}

/** The pointer to the reference that a compiler's message quotes, or to the schema itself. */
function placeOfReference(schema: JsonObject, message: string): string {
  const visit = (value: unknown, pointer: string): string | undefined => {
    if (typeof value !== "object" || value === null) return undefined;
    for (const [name, member] of Object.entries(value)) {
      const place = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const isQuoted = typeof member === "string" && member !== "" && message.includes(member);
      if (isQuoted && (name === "$ref" || name === "$dynamicRef" || name === "pattern"))
        return place;
      const found = visit(member, place);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return visit(schema, "") ?? "";
}
