import { randomBytes } from "node:crypto";
import type { Ajv2020, FuncKeywordDefinition } from "ajv/dist/2020.js";
import { jsonKey } from "./json-key.ts";
import { spend } from "./meter.ts";

/** Keyword for the cost of a schema. Its name is random, so that no author can use it in a schema. */
export const costKeyword = `cost-${randomBytes(12).toString("hex")}`;

type Failing = NonNullable<FuncKeywordDefinition["validate"]>;

/**
 * Replaces `enum` and `uniqueItems`, which take quadratic time in ajv, by versions with the same results and errors.
 */
export function addLinearKeywords(ajv: Ajv2020): void {
  for (const keyword of ["enum", "uniqueItems"]) ajv.removeKeyword(keyword);
  ajv.addKeyword({ keyword: "enum", schemaType: "array", compile: compileEnum });
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    compile: compileUniqueItems,
  });
  ajv.addKeyword({ keyword: costKeyword, validate: spendOnSchema, errors: false });
}

function compileEnum(values: readonly unknown[]) {
  const keys = values.map((value) => jsonKey(value) ?? "");
  const known = new Set(keys);
  const longest = keys.reduce((most, key) => Math.max(most, key.length), 0);
  const validate: Failing = (data: unknown) => {
    const key = jsonKey(data, longest);
    if (key !== undefined && known.has(key)) return true;
    validate.errors = [
      {
        keyword: "enum",
        params: { allowedValues: values },
        message: "must be equal to one of the allowed values",
      },
    ];
    return false;
  };
  return validate;
}

function compileUniqueItems(isOn: boolean) {
  const validate: Failing = (data: unknown) => {
    if (!isOn || !Array.isArray(data)) return true;
    const places = new Map<string, number>();
    for (const [place, item] of data.entries()) {
      const key = jsonKey(item) ?? "";
      const before = places.get(key);
      if (before !== undefined) {
        validate.errors = [
          {
            keyword: "uniqueItems",
            params: { i: place, j: before },
            message: `must NOT have duplicate items (items ## ${before} and ${place} are identical)`,
          },
        ];
        return false;
      }
      places.set(key, place);
    }
    return true;
  };
  return validate;
}

/** The cost of applying a schema to a value, by the content of both. */
type Cost = { fixed: number; perMember: number; perCharacter: number };

function spendOnSchema({ fixed, perMember, perCharacter }: Cost, data: unknown): boolean {
  let units = fixed;
  if (typeof data === "string") units += data.length * perCharacter;
  else if (Array.isArray(data)) units += data.length * perMember;
  else if (typeof data === "object" && data !== null && perMember > 0) {
    units += Object.keys(data).length * perMember;
  }
  spend(units);
  return true;
}

const sizedKeywords = [
  "required",
  "properties",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
];
const memberKeywords = [
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "items",
  "contains",
];
/** Formats and patterns charge the meter themselves. */
const textKeywords = ["minLength", "maxLength"];
/** Creating an error takes about four times as long as checking a value. */
const unitsPerError = 4;
const perConstCharacter = 1 / 8;

/**
 * The cost of applying a schema to a value once. With `allErrors`, each member may add an error, so each is charged as one.
 */
export function costOfSchema(schema: Readonly<Record<string, unknown>>, allErrors: boolean): Cost {
  const perName = allErrors ? unitsPerError : 1 / 4;
  const perLook = allErrors ? unitsPerError : 1;
  const names = sizedKeywords.reduce((sum, keyword) => sum + weigh(schema[keyword]), 0);
  const constant = "const" in schema ? JSON.stringify(schema["const"]).length : 0;
  const patterns = Object.keys(schema["patternProperties"] ?? {}).length;
  const isOpen = memberKeywords.some((keyword) => keyword in schema);
  const isText = textKeywords.some((keyword) => keyword in schema);
  return {
    fixed: perLook + names * perName + constant * perConstCharacter,
    perMember: patterns + (isOpen ? perLook : 0),
    perCharacter: isText ? 1 / 16 : 0,
  };
}

/** The number of members, where an array counts as its items. */
function weigh(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce(
    (sum: number, member: unknown) => sum + (Array.isArray(member) ? member.length : 1),
    0,
  );
}
