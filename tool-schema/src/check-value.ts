import { isObject, isSame, numberAt, own, textAt } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import { checkMessages, formatMessages, typeMessages } from "./messages.ts";
import type { Problem } from "./problem.ts";
import { resolveSchema } from "./resolve.ts";
import { matchesPattern } from "./safe-pattern.ts";

const deepest = 40;
const maxItems = 2_000;
/** Alternatives within alternatives multiply; what is beyond this is left to the server. */
const maxChecks = 50_000;

/** What is wrong with a value, in words for the person who fills in a form. The server has the last word. */
export function checkValue(root: JsonObject, schema: Json | undefined, value: Json): Problem[] {
  return check({ root, depth: 0, budget: { left: maxChecks } }, schema, value);
}

type Place = { root: JsonObject; depth: number; budget: { left: number } };

function check(place: Place, given: Json | undefined, value: Json): Problem[] {
  place.budget.left -= 1;
  if (place.depth > deepest || place.budget.left < 0) return [];
  const schema = resolveSchema(place.root, given);
  const alternatives = own(schema, "oneOf") ?? own(schema, "anyOf");
  if (Array.isArray(alternatives)) {
    const problems = checkAlternatives(place, alternatives, value);
    if (problems.length > 0) return problems;
  }
  if (Object.hasOwn(schema, "const")) {
    const wanted = schema["const"] ?? null;
    return isSame(wanted, value) ? [] : [here(checkMessages.constant(JSON.stringify(wanted)))];
  }
  const values = own(schema, "enum");
  if (Array.isArray(values)) {
    return values.some((one) => isSame(one, value)) ? [] : [here(checkMessages.unknownChoice)];
  }
  const wrongType = checkType(schema, value);
  if (wrongType !== undefined) return [wrongType];
  if (typeof value === "string") return checkText(schema, value);
  if (typeof value === "number") return checkNumber(schema, value);
  if (Array.isArray(value)) return checkList(place, schema, value);
  return isObject(value) ? checkObject(place, schema, value) : [];
}

function here(message: string): Problem {
  return { path: [], message };
}

function under(step: string | number, problems: readonly Problem[]): Problem[] {
  return problems.map(({ path, message }) => ({ path: [String(step), ...path], message }));
}

/** None if one of them fits; else what is wrong by the one that fits best. */
function checkAlternatives(place: Place, alternatives: readonly Json[], value: Json): Problem[] {
  const deeper = { ...place, depth: place.depth + 1 };
  let best: Problem[] | undefined;
  for (const one of alternatives.slice(0, 50)) {
    const problems = check(deeper, one, value);
    if (problems.length === 0) return [];
    if (best === undefined || problems.length < best.length) best = problems;
  }
  return best ?? [];
}

function checkType(schema: JsonObject, value: Json): Problem | undefined {
  const type = own(schema, "type");
  if (type === undefined) return undefined;
  const types = Array.isArray(type) ? type : [type];
  if (types.some((one) => isOfType(one, value))) return undefined;
  const [only] = types;
  const message = typeof only === "string" && types.length === 1 ? typeMessages[only] : undefined;
  return here(message ?? checkMessages.oneOfTypes(types.filter((one) => typeof one === "string")));
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
    return [here(checkMessages.minLength(min))];
  }
  if (max !== undefined && length > max) {
    return [here(checkMessages.maxLength(max, length))];
  }
  const pattern = textAt(schema, "pattern");
  if (pattern !== undefined && matchesPattern(pattern, value) === false) {
    return [here(checkMessages.pattern(pattern))];
  }
  const wrong = wrongFormat(textAt(schema, "format"), value);
  return wrong === undefined ? [] : [here(wrong)];
}

function wrongFormat(format: string | undefined, value: string): string | undefined {
  if (format === "email") {
    return /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(value) ? undefined : formatMessages.email;
  }
  if (format === "uri" || format === "url") {
    return URL.canParse(value) ? undefined : formatMessages.url;
  }
  if (format === "date") {
    return /^\d{4}-\d\d-\d\d$/.test(value) ? undefined : formatMessages.date;
  }
  if (format === "date-time") {
    return /^\d{4}-\d\d-\d\d[Tt ]/.test(value) && !Number.isNaN(Date.parse(value))
      ? undefined
      : formatMessages.dateTime;
  }
  if (format !== "uuid") return undefined;
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)
    ? undefined
    : formatMessages.uuid;
}

function checkNumber(schema: JsonObject, value: number): Problem[] {
  const at = (name: string) => numberAt(schema, name) ?? Number.NaN;
  if (value < at("minimum")) return [here(checkMessages.minimum(at("minimum")))];
  if (value > at("maximum")) return [here(checkMessages.maximum(at("maximum")))];
  if (value <= at("exclusiveMinimum"))
    return [here(checkMessages.exclusiveMinimum(at("exclusiveMinimum")))];
  if (value >= at("exclusiveMaximum"))
    return [here(checkMessages.exclusiveMaximum(at("exclusiveMaximum")))];
  const step = numberAt(schema, "multipleOf");
  if (step === undefined || step <= 0) return [];
  const times = value / step;
  const isMultiple = Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
  return isMultiple ? [] : [here(checkMessages.multipleOf(step))];
}

function checkList(place: Place, schema: JsonObject, value: readonly Json[]): Problem[] {
  const [min, max] = [numberAt(schema, "minItems"), numberAt(schema, "maxItems")];
  const problems: Problem[] = [];
  if (min !== undefined && value.length < min) {
    problems.push(here(checkMessages.minItems(min)));
  }
  if (max !== undefined && value.length > max) problems.push(here(checkMessages.maxItems(max)));
  if (own(schema, "uniqueItems") === true && value.length <= 200 && hasTwice(value)) {
    problems.push(here(checkMessages.duplicateItems));
  }
  const prefix = own(schema, "prefixItems");
  const first = Array.isArray(prefix) ? prefix : [];
  const items = own(schema, "items");
  const deeper = { ...place, depth: place.depth + 1 };
  for (const [index, item] of value.slice(0, maxItems).entries()) {
    const known = index < first.length ? first[index] : items;
    problems.push(...under(index, check(deeper, known, item)));
  }
  return problems;
}

function hasTwice(value: readonly Json[]): boolean {
  return value.some((one, index) => value.slice(index + 1).some((other) => isSame(one, other)));
}

function checkObject(place: Place, schema: JsonObject, value: JsonObject): Problem[] {
  const problems: Problem[] = [];
  const needed = own(schema, "required");
  for (const name of Array.isArray(needed) ? needed : []) {
    if (typeof name !== "string" || Object.hasOwn(value, name)) continue;
    problems.push({ path: [name], message: checkMessages.required });
  }
  const properties = own(schema, "properties");
  const known = isObject(properties) ? properties : {};
  const more = own(schema, "additionalProperties");
  const deeper = { ...place, depth: place.depth + 1 };
  for (const [name, member] of Object.entries(value).slice(0, maxItems)) {
    if (Object.hasOwn(known, name)) {
      problems.push(...under(name, check(deeper, known[name], member)));
    } else if (more === false && !Object.hasOwn(schema, "patternProperties")) {
      problems.push({ path: [name], message: checkMessages.unknownField });
    } else if (isObject(more)) {
      problems.push(...under(name, check(deeper, more, member)));
    }
  }
  return problems;
}
