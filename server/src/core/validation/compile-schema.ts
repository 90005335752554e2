import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Format, ValidateFunction } from "ajv/dist/2020.js";
import type { JsonObject } from "@toolhost/contract";
import { addLinearKeywords, costKeyword, costOfSchema } from "./keywords.ts";
import { createMatcher } from "./pattern.ts";
import { walkSchemas } from "./schema-walk.ts";

type Options = {
  /** All that is wrong, and not only what is found first. */
  allErrors: boolean;
  /** Charges the meter for each look of a schema at a value, so that no combination of schemas gets away. */
  isCounted: boolean;
};

/** Nothing of these formats is longer. Their expressions are quick for such texts, and some are not for others. */
const maxFormatLength = 4_096;
/** Formats of any length, whose expressions take no longer than the text is. */
const unboundedFormats = new Set(["byte", "password", "binary"]);

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
  addFormats.default(ajv);
  boundFormats(ajv);
  addLinearKeywords(ajv);
  return ajv.compile(isCounted ? withCosts(body) : body);
}

function regExp(pattern: string) {
  return createMatcher(pattern);
}
// Only code that is written to files names it.
regExp.code = "createMatcher";

function boundFormats(ajv: Ajv2020): void {
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format === undefined || unboundedFormats.has(name)) continue;
    const test = testOf(format);
    if (test === undefined) continue;
    ajv.addFormat(name, {
      type: "string",
      validate: (text: string) => text.length <= maxFormatLength && test(text),
    });
  }
}

function testOf(format: Format): ((text: string) => boolean) | undefined {
  const isWrapped = typeof format === "object" && !(format instanceof RegExp);
  if (isWrapped && (format.type === "number" || format.async === true)) return undefined;
  const check: unknown = isWrapped ? format.validate : format;
  if (check instanceof RegExp) return (text) => check.test(text);
  return typeof check === "function" ? (text) => check(text) === true : undefined;
}

/** A copy in which each schema names what looking at a value with it is charged. */
function withCosts(schema: JsonObject): JsonObject {
  const copy = JSON.parse(JSON.stringify(schema)) as JsonObject;
  for (const { schema: part } of walkSchemas(copy)) part[costKeyword] = costOfSchema(part);
  return copy;
}
