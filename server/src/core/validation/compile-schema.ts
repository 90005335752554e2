import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { JsonObject } from "@toolhost/contract";
import { addBoundedFormats } from "./formats.ts";
import { addLinearKeywords, costKeyword, costOfSchema } from "./ajv-keywords.ts";
import { createMatcher } from "./pattern.ts";
import { walkSchemas } from "./schema-walk.ts";

type Options = {
  /** Collects all errors instead of stopping at the first. */
  allErrors: boolean;
  /** Charges the meter whenever a schema is applied to a value, so that no combination of schemas escapes it. */
  isCounted: boolean;
};

/** Compiles a validator, in time and memory proportional to the size of typical schemas. */
export function compileSchema(
  schema: JsonObject,
  { allErrors, isCounted }: Options,
): ValidateFunction {
  const { $schema: _, ...body } = schema;
  // A separate instance, so that schemas of different tools do not share an `$id`.
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    allErrors,
    // Members that every object inherits, such as "constructor", are not properties of an input.
    ownProperties: true,
    // Inlining references and optimizing code can take quadratic time.
    inlineRefs: false,
    code: { optimize: false, regExp },
  });
  addBoundedFormats(ajv);
  addLinearKeywords(ajv);
  return ajv.compile(isCounted ? withCosts(body, allErrors) : body);
}

function regExp(pattern: string) {
  // Ajv finds matchers by their text, so without it all patterns of a schema would share the first one's matcher.
  return { ...createMatcher(pattern), toString: () => pattern };
}
// Used in standalone code only.
regExp.code = "createMatcher";

/** A copy in which each schema contains the cost of applying it to a value. */
function withCosts(schema: JsonObject, allErrors: boolean): JsonObject {
  const copy = JSON.parse(JSON.stringify(schema)) as JsonObject;
  for (const { schema: part } of walkSchemas(copy)) {
    part[costKeyword] = costOfSchema(part, allErrors);
  }
  return copy;
}
