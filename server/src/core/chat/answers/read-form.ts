import type { JsonObject } from "@toolhost/contract";
import { planField } from "@toolhost/tool-schema";
import type { ChatFieldProblem, ChatFile, ChatValues } from "../block.ts";
import { isJsonObject } from "#lib/json-object";
import type { Json } from "./json.ts";
import type { FormField, FormPlan } from "./plan-form.ts";
import { messages } from "./messages.ts";

/** The submitted input of a form. */
export type FilledForm = {
  input: JsonObject;
  /** By field; not uploaded yet. */
  files: Readonly<Record<string, readonly ChatFile[]>>;
  problems: readonly ChatFieldProblem[];
};

type Given = ChatValues[string];
type Reading = { value: Json } | { problem: string } | undefined;

/** Parses the submitted values by the schema of the tool. A value that cannot be parsed is a problem of its field. */
export function readForm({ fields, fixed }: FormPlan, values: ChatValues): FilledForm {
  const input: JsonObject = { ...fixed };
  const files: Record<string, readonly ChatFile[]> = {};
  const problems: ChatFieldProblem[] = [];
  for (const one of fields) {
    const { name, isRequired, kind } = one.field;
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    if (kind === "file") {
      const picked = filesIn(given);
      if (picked.length > 0) files[name] = picked;
      else if (isRequired) problems.push({ name, message: messages.chooseFile });
      continue;
    }
    const read = readField(one, given);
    if (read === undefined) {
      if (isRequired) problems.push({ name, message: messages.required });
    } else if ("problem" in read) problems.push({ name, message: read.problem });
    else Object.defineProperty(input, name, { ...plain, value: read.value });
  }
  return { input, files, problems };
}

/** Safe for a field named `__proto__`. */
const plain = { enumerable: true, writable: true, configurable: true };

function filesIn(given: Given | undefined): readonly ChatFile[] {
  return typeof given === "object" && "files" in given ? given.files : [];
}

function readField({ field, plan }: FormField, given: Given | undefined): Reading {
  if (field.kind === "boolean") {
    // An unticked box means no where a value is required, or where it was ticked initially.
    if (given === true) return { value: true };
    return field.isRequired || field.initial === true ? { value: false } : undefined;
  }
  if (field.kind === "choices") {
    const indexes = isList(given) ? given : [];
    if (plan.kind !== "list" || (indexes.length === 0 && !field.isRequired)) return undefined;
    const items = planField(plan.schema, plan.items);
    return { value: indexes.flatMap((index) => chosen(items, index) ?? []) };
  }
  if (typeof given !== "string" || given === "") return undefined;
  if (field.kind === "choice") {
    const value = chosen(plan, given);
    return value === undefined ? { problem: messages.chooseValue } : { value };
  }
  if (field.kind === "number") return readNumber(given, field.isWhole);
  if (field.kind === "time") return { value: /^\d\d:\d\d$/.test(given) ? `${given}:00Z` : given };
  return plan.kind === "text" ? { value: given } : readLines(plan, given);
}

function isList(given: Given | undefined): given is readonly string[] {
  return Array.isArray(given);
}

function chosen(plan: FormField["plan"], index: string): Json | undefined {
  return plan.kind === "choice" ? plan.choices[Number(index)]?.value : undefined;
}

function readNumber(text: string, isWhole: boolean): Reading {
  const number = Number(text.trim().replace(/^([+-]?\d+),(\d+)$/, "$1.$2"));
  if (text.trim() === "" || !Number.isFinite(number)) return { problem: messages.enterNumber };
  return isWhole && !Number.isInteger(number)
    ? { problem: messages.enterWholeNumber }
    : { value: number };
}

/** Parses a list with one entry per line, or JSON. */
function readLines(plan: FormField["plan"], text: string): Reading {
  const items =
    plan.kind === "list" && plan.prefix.length === 0
      ? planField(plan.schema, plan.items)
      : undefined;
  if (items?.kind === "text" || items?.kind === "number") {
    const lines = text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    if (items.kind === "text") return { value: lines };
    const numbers = lines.map((line) => readNumber(line, items.isWhole));
    const wrong = numbers.find((one) => one !== undefined && "problem" in one);
    return (
      wrong ?? {
        value: numbers.flatMap((one) => (one !== undefined && "value" in one ? one.value : [])),
      }
    );
  }
  return readJson(plan, text);
}

function readJson({ schema, kind }: FormField["plan"], text: string): Reading {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    // Text needs no quotes where the schema allows several types.
    if (takesText(schema) || kind === "choice") return { value: text };
    return { problem: messages.enterJson };
  }
}

function takesText(schema: JsonObject): boolean {
  const { type, anyOf, oneOf } = schema;
  if (type === "string" || (Array.isArray(type) && type.includes("string"))) return true;
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives))
    return alternatives.some((one) => isJsonObject(one) && takesText(one));
  return (
    type === undefined &&
    Object.keys(schema).every((name) => !["properties", "items"].includes(name))
  );
}
