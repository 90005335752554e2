import type { JsonObject } from "@toolhost/contract";
import { fieldLabel, planField } from "@toolhost/tool-schema";
import type { FieldPlan } from "@toolhost/tool-schema";
import type { ChatChoice, ChatField } from "../block.ts";
import { isJsonObject } from "#lib/json-object";

import type { Json } from "./json.ts";
import { messages } from "./messages.ts";

/** The maximum number of fields; the page of the tool shows all. */
const maxFields = 40;
const maxChoices = 100;
const maxFiles = 10;
const maxNameLength = 200;

/** A field of a form, and the plan for its part of the schema. */
export type FormField = { field: ChatField; plan: FieldPlan };

/** A form for a tool's input. */
export type FormPlan = {
  fields: readonly FormField[];
  /** Values of fields with only one valid value. */
  fixed: JsonObject;
  /** Whether the tool has fields that the form lacks. */
  isPartial: boolean;
};

type Asking = {
  inputSchema: JsonObject;
  fileFields: readonly string[];
  /** Fields whose values are known. */
  known: readonly string[];
  /** Initial values, which override the defaults of the schema. */
  initial?: JsonObject;
};

/** Plans the form for a tool's input by the rules of the console's forms. */
export function planForm({ inputSchema, fileFields, known, initial = {} }: Asking): FormPlan {
  const properties = propertiesOf(inputSchema);
  const required = requiredFields(inputSchema);
  const open = Object.keys(properties).filter(
    (name) => !known.includes(name) && name.length <= maxNameLength,
  );
  const fixed: JsonObject = {};
  const fields: FormField[] = [];
  for (const name of inOrder(open, required)) {
    const plan = planField(inputSchema, properties[name]);
    const isRequired = required.includes(name);
    if (plan.kind === "const") {
      if (isRequired) fixed[name] = plan.value;
      continue;
    }
    const start = initial[name] ?? plan.schema["default"];
    const label = fieldLabel(name, properties[name]);
    const common = { name, isRequired, label, ...hintOf(plan, label) };
    const field: ChatField = fileFields.includes(name)
      ? { ...common, kind: "file", maxFiles: filesOf(plan) }
      : fieldOf(common, plan, start);
    fields.push({ field, plan });
  }
  const isPartial = fields.length > maxFields || open.length < countOpen(properties, known);
  return { fields: fields.slice(0, maxFields), fixed, isPartial };
}

/** The required fields of an input. */
export function requiredFields(schema: JsonObject): string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

function countOpen(properties: JsonObject, known: readonly string[]): number {
  return Object.keys(properties).filter((name) => !known.includes(name)).length;
}

/** In the order of the author; beyond the limit, required fields come first. */
function inOrder(names: readonly string[], required: readonly string[]): string[] {
  if (names.length <= maxFields) return [...names];
  const needed = names.filter((name) => required.includes(name));
  return [...needed, ...names.filter((name) => !required.includes(name))];
}

/** The author's description, unless it only repeats the label. */
function hintOf({ schema: { description } }: FieldPlan, label: string): { hint?: string } {
  const hint = typeof description === "string" ? description.trim() : "";
  const isRepeated = hint.replace(/\.$/, "").toLowerCase() === label.toLowerCase();
  return hint === "" || isRepeated ? {} : { hint };
}

/** A hint of the author, and one of this service, as sentences. */
function joinHints(hint: string | undefined, own: string | undefined): string {
  if (hint === undefined || own === undefined) return hint ?? own ?? "";
  return `${hint}${/[.!?…:]$/.test(hint) ? "" : "."} ${own}`;
}

function filesOf(plan: FieldPlan): number {
  if (plan.kind !== "list") return 1;
  const { maxItems } = plan.schema;
  return typeof maxItems === "number" ? Math.max(1, Math.min(maxFiles, maxItems)) : maxFiles;
}

type Common = Pick<ChatField, "name" | "label" | "hint" | "isRequired">;

function fieldOf(common: Common, plan: FieldPlan, start: Json | undefined): ChatField {
  const { schema } = plan;
  if (plan.kind === "text") return textField(common, plan, start);
  if (plan.kind === "number") {
    const { minimum: min, maximum: max } = schema;
    return {
      ...common,
      kind: "number",
      isWhole: plan.isWhole,
      ...(typeof start === "number" ? { initial: String(start) } : {}),
      ...(typeof min === "number" ? { min } : {}),
      ...(typeof max === "number" ? { max } : {}),
    };
  }
  if (plan.kind === "boolean") {
    return { ...common, kind: "boolean", ...(start === true ? { initial: true } : {}) };
  }
  if (plan.kind === "choice" && plan.choices.length <= maxChoices) {
    const index = plan.choices.findIndex(({ value }) => same(value, start));
    const initial = index < 0 ? {} : { initial: String(index) };
    return { ...common, kind: "choice", choices: toChoices(plan.choices), ...initial };
  }
  return listField(common, plan, start) ?? jsonField(common, start);
}

const hints: Readonly<Record<string, string>> = {
  "date-time": messages.dateTimeHint,
  time: messages.timeHint,
};

function textField(
  common: Common,
  { schema, input }: Extract<FieldPlan, { kind: "text" }>,
  start: Json | undefined,
): ChatField {
  const hint = joinHints(common.hint, hints[input]);
  const withHint = { ...common, ...(hint === "" ? {} : { hint }) };
  const initial = typeof start === "string" && start !== "" ? { initial: start } : {};
  if (input === "date") return { ...withHint, kind: "date", ...initial };
  // Time fields have minute precision, so they have no initial value.
  if (input === "time") return { ...withHint, kind: "time" };
  const { maxLength } = schema;
  const shown = contentOf(schema, input);
  return {
    ...withHint,
    kind: input === "multiline" ? "longText" : "text",
    ...(shown === undefined ? {} : { content: shown }),
    ...initial,
    ...(typeof maxLength === "number" && maxLength > 0 ? { maxLength } : {}),
  };
}

/** What a text is, for forms that hide secrets and have keyboards for URLs and addresses. */
function contentOf(schema: JsonObject, input: string): "password" | "email" | "url" | undefined {
  if (input === "password" || schema["writeOnly"] === true) return "password";
  // Browsers reject addresses that the format `idn-email` allows.
  if (input === "email") return schema["format"] === "email" ? input : undefined;
  return input === "url" ? input : undefined;
}

/** Lists of choices are checkboxes; lists of texts or numbers have one entry per line. */
function listField(
  common: Common,
  plan: FieldPlan,
  start: Json | undefined,
): ChatField | undefined {
  if (plan.kind !== "list" || plan.prefix.length > 0) return undefined;
  const items = planField(plan.schema, plan.items);
  const given = Array.isArray(start) ? start : [];
  if (items.kind === "choice" && items.choices.length <= maxChoices) {
    const initial = given
      .map((value) => items.choices.findIndex((choice) => same(choice.value, value)))
      .filter((index) => index >= 0)
      .map(String);
    const shown = initial.length === 0 ? {} : { initial };
    return { ...common, kind: "choices", choices: toChoices(items.choices), ...shown };
  }
  if (items.kind !== "text" && items.kind !== "number") return undefined;
  const hint = joinHints(common.hint, messages.onePerLine);
  const initial = given.length === 0 ? {} : { initial: given.map(String).join("\n") };
  return { ...common, hint, kind: "longText", ...initial };
}

function jsonField(common: Common, start: Json | undefined): ChatField {
  const hint = joinHints(common.hint, messages.asJson);
  const initial = start === undefined ? {} : { initial: JSON.stringify(start, null, 2) };
  return { ...common, hint, kind: "longText", ...initial };
}

function toChoices(choices: readonly { label: string }[]): ChatChoice[] {
  return choices.map(({ label }, index) => ({
    label: label === "" ? messages.empty : label,
    value: String(index),
  }));
}

function same(one: Json, other: Json | undefined): boolean {
  return other !== undefined && JSON.stringify(one) === JSON.stringify(other);
}
