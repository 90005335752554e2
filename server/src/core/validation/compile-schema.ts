import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { JsonObject } from "@toolhost/contract";
import { addBoundedFormats } from "./formats.ts";
import { addLinearKeywords, costKeyword, costOfSchema } from "./keywords.ts";
import { createMatcher } from "./pattern.ts";
import { walkSchemas } from "./schema-walk.ts";

type Options = {
  /** All that is wrong, and not only what is found first. */
  allErrors: boolean;
  /** Charges the meter for each look of a schema at a value, so that no combination of schemas gets away. */
  isCounted: boolean;
};

/** Makes the validator of a schema, with time and memory in proportion to its size where it is a usual one. */
export function compileSchema(
  schema: JsonObject,
  { allErrors, isCounted }: Options,
): ValidateFunction {
  const { $schema: _, ...body } = schema;
  // An instance each, so that the $id of one tool's schema is not seen by another's.
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    allErrors,
    // To write out what each reference means can square a schema, and so can looking for what to simplify.
    inlineRefs: false,
    code: { optimize: false, regExp },
  });
  addBoundedFormats(ajv);
  addLinearKeywords(ajv);
  return ajv.compile(isCounted ? withCosts(body, allErrors) : body);
}

function regExp(pattern: string) {
  return createMatcher(pattern);
}
// Only code that is written to files names it.
regExp.code = "createMatcher";

/** A copy in which each schema names what looking at a value with it is charged. */
function withCosts(schema: JsonObject, allErrors: boolean): JsonObject {
  const copy = JSON.parse(JSON.stringify(schema)) as JsonObject;
  for (const { schema: part } of walkSchemas(copy)) {
    part[costKeyword] = costOfSchema(part, allErrors);
  }
  return copy;
}
