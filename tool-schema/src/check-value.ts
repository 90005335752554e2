import { isObject, isSame, numberAt, own, textAt } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import * as messages from "./messages.ts";
import type { Problem } from "./problem.ts";
import { resolveSchema } from "./resolve-schema.ts";
import { matchesPattern } from "./match-pattern.ts";

const maxDepth = 40;
const maxItems = 2_000;
const maxAlternatives = 50;
/** Nested alternatives multiply. The server checks what exceeds this limit. */
const maxChecks = 50_000;

/** Returns the problems of a value, worded for the user who fills in a form. The server validates again and decides. */
export function checkValue(root: JsonObject, schema: Json | undefined, value: Json): Problem[] {
  return check({ root, depth: 0, budget: { left: maxChecks } }, schema, value);
}

type CheckContext = { root: JsonObject; depth: number; budget: { left: number } };

function check(context: CheckContext, unresolved: Json | undefined, value: Json): Problem[] {
  context.budget.left -= 1;
  if (context.depth > maxDepth || context.budget.left < 0) return [];
  const schema = resolveSchema(context.root, unresolved);
  const alternatives = own(schema, "oneOf") ?? own(schema, "anyOf");
  if (Array.isArray(alternatives)) {
    const problems = checkAlternatives(context, alternatives, value);
    if (problems.length > 0) return problems;
  }
  if (Object.hasOwn(schema, "const")) {
    const constant = schema["const"] ?? null;
    return isSame(constant, value)
      ? []
      : [problemHere(messages.constant(JSON.stringify(constant)))];
  }
  const values = own(schema, "enum");
  if (Array.isArray(values)) {
    return values.some((choice) => isSame(choice, value))
      ? []
      : [problemHere(messages.unknownChoice)];
  }
  const wrongType = checkType(schema, value);
  if (wrongType !== undefined) return [wrongType];
  if (typeof value === "string") return checkText(schema, value);
  if (typeof value === "number") return checkNumber(schema, value);
  if (Array.isArray(value)) return checkList(context, schema, value);
  return isObject(value) ? checkObject(context, schema, value) : [];
}

function problemHere(message: string): Problem {
  return { path: [], message };
}

function prefixPaths(step: string | number, problems: readonly Problem[]): Problem[] {
  return problems.map(({ path, message }) => ({ path: [String(step), ...path], message }));
}

/** No problems if one alternative matches; otherwise the problems of the closest one. */
function checkAlternatives(
  context: CheckContext,
  alternatives: readonly Json[],
  value: Json,
): Problem[] {
  const inner = { ...context, depth: context.depth + 1 };
  let closest: Problem[] | undefined;
  for (const alternative of alternatives.slice(0, maxAlternatives)) {
    const problems = check(inner, alternative, value);
    if (problems.length === 0) return [];
    if (closest === undefined || problems.length < closest.length) closest = problems;
  }
  return closest ?? [];
}

function checkType(schema: JsonObject, value: Json): Problem | undefined {
  const type = own(schema, "type");
  if (type === undefined) return undefined;
  const types = Array.isArray(type) ? type : [type];
  if (types.some((candidate) => isOfType(candidate, value))) return undefined;
  const [only] = types;
  const message =
    typeof only === "string" && types.length === 1 ? messages.typeMessages[only] : undefined;
  return problemHere(
    message ?? messages.oneOfTypes(types.filter((name) => typeof name === "string")),
  );
}

function isOfType(type: Json, value: Json): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function checkText(schema: JsonObject, value: string): Problem[] {
  const [min, max] = [numberAt(schema, "minLength"), numberAt(schema, "maxLength")];
  const length = Array.from(value).length;
  if (min !== undefined && length < min) {
    return [problemHere(messages.minLength(min))];
  }
  if (max !== undefined && length > max) {
    return [problemHere(messages.maxLength(max, length))];
  }
  const pattern = textAt(schema, "pattern");
  if (pattern !== undefined && matchesPattern(pattern, value) === false) {
    return [problemHere(messages.pattern(pattern))];
  }
  const message = checkFormat(textAt(schema, "format"), value);
  return message === undefined ? [] : [problemHere(message)];
}

function checkFormat(format: string | undefined, value: string): string | undefined {
  if (format === "email") {
    return /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(value) ? undefined : messages.email;
  }
  if (format === "uri" || format === "url") {
    return URL.canParse(value) ? undefined : messages.url;
  }
  if (format === "date") {
    return /^\d{4}-\d\d-\d\d$/.test(value) ? undefined : messages.date;
  }
  if (format === "date-time") {
    return /^\d{4}-\d\d-\d\d[Tt ]/.test(value) && !Number.isNaN(Date.parse(value))
      ? undefined
      : messages.dateTime;
  }
  if (format !== "uuid") return undefined;
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? undefined : messages.uuid;
}

function checkNumber(schema: JsonObject, value: number): Problem[] {
  const bound = (name: string) => numberAt(schema, name) ?? Number.NaN;
  if (value < bound("minimum")) return [problemHere(messages.minimum(bound("minimum")))];
  if (value > bound("maximum")) return [problemHere(messages.maximum(bound("maximum")))];
  if (value <= bound("exclusiveMinimum"))
    return [problemHere(messages.exclusiveMinimum(bound("exclusiveMinimum")))];
  if (value >= bound("exclusiveMaximum"))
    return [problemHere(messages.exclusiveMaximum(bound("exclusiveMaximum")))];
  const step = numberAt(schema, "multipleOf");
  if (step === undefined || step <= 0) return [];
  const ratio = value / step;
  const isMultiple = Math.abs(ratio - Math.round(ratio)) < 1e-9 * Math.max(1, Math.abs(ratio));
  return isMultiple ? [] : [problemHere(messages.multipleOf(step))];
}

function checkList(context: CheckContext, schema: JsonObject, value: readonly Json[]): Problem[] {
  const [min, max] = [numberAt(schema, "minItems"), numberAt(schema, "maxItems")];
  const problems: Problem[] = [];
  if (min !== undefined && value.length < min) {
    problems.push(problemHere(messages.minItems(min)));
  }
  if (max !== undefined && value.length > max) problems.push(problemHere(messages.maxItems(max)));
  if (own(schema, "uniqueItems") === true && value.length <= 200 && hasDuplicates(value)) {
    problems.push(problemHere(messages.duplicateItems));
  }
  const prefix = own(schema, "prefixItems");
  const prefixItems = Array.isArray(prefix) ? prefix : [];
  const items = own(schema, "items");
  const inner = { ...context, depth: context.depth + 1 };
  for (const [index, item] of value.slice(0, maxItems).entries()) {
    const itemSchema = index < prefixItems.length ? prefixItems[index] : items;
    problems.push(...prefixPaths(index, check(inner, itemSchema, item)));
  }
  return problems;
}

function hasDuplicates(value: readonly Json[]): boolean {
  return value.some((item, index) => value.slice(index + 1).some((other) => isSame(item, other)));
}

function checkObject(context: CheckContext, schema: JsonObject, value: JsonObject): Problem[] {
  const problems: Problem[] = [];
  const required = own(schema, "required");
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name !== "string" || Object.hasOwn(value, name)) continue;
    problems.push({ path: [name], message: messages.required });
  }
  const properties = own(schema, "properties");
  const declared = isObject(properties) ? properties : {};
  const additional = own(schema, "additionalProperties");
  const inner = { ...context, depth: context.depth + 1 };
  for (const [name, member] of Object.entries(value).slice(0, maxItems)) {
    if (Object.hasOwn(declared, name)) {
      problems.push(...prefixPaths(name, check(inner, declared[name], member)));
    } else if (additional === false && !Object.hasOwn(schema, "patternProperties")) {
      problems.push({ path: [name], message: messages.unknownField });
    } else if (isObject(additional)) {
      problems.push(...prefixPaths(name, check(inner, additional, member)));
    }
  }
  return problems;
}
