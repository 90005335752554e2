import type { JsonObject, Skill } from "@toolhost/contract";
import type { FieldPlan, TextInput } from "@toolhost/tool-schema";
import type { Json } from "./json.ts";
import { planForm } from "./plan-form.ts";
import type { FormField } from "./plan-form.ts";

/** Values of one kind in a message, and the text without them. */
type Found = { values: string[]; rest: string };

const quoted = /"([^"\n]{1,500})"|“([^”\n]{1,500})”/g;
const webAddress = /\bhttps?:\/\/[^\s<>"]{1,1000}[^\s<>".,;:!?)]/g;
const emailAddress = /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\b/g;
const date = /\b\d{4}-\d{2}-\d{2}\b/g;
const number = /(?<![\w.,:/-])-?\d{1,15}(?:\.\d{1,10})?(?![\w:/]|[.,]\d)/g;

/** The values of a negated request do not reveal its intent. */
const negation = /\b(?:not|never|without|except|no|nor)\b|n['’]t\b/i;

/**
 * The values of a message that belong to a field: a number, date, URL, email address or quoted text that is the only
 * one of its kind, where the tool has one field of that kind, or one that it requires; as many numbers as the tool has
 * fields for them; a choice that is named literally; and what follows the name of a field, "from" or "to". The person
 * checks the values, and enters everything else and all secrets.
 */
export function prefill(
  { inputSchema, fileFields }: Pick<Skill, "inputSchema" | "fileFields">,
  text: string,
): JsonObject {
  if (negation.test(text)) return {};
  const fields = planForm({ inputSchema, fileFields, known: [] }).fields.filter(
    ({ field, plan: { schema } }) => field.kind !== "file" && schema["writeOnly"] !== true,
  );
  const texts = take(text, quoted);
  const addresses = take(texts.rest, webAddress);
  const emails = take(addresses.rest, emailAddress);
  const dates = take(emails.rest, date);
  const numbers = take(dates.rest, number);
  return Object.fromEntries([
    ...asText(fields, [texts, addresses, emails]),
    ...only(fields, addresses, ["url"]),
    ...only(fields, emails, ["email"]),
    ...only(fields, dates, ["date"]),
    ...only(fields, numbers, ["number"]),
    ...inOrder(fields, numbers),
    ...choices(fields, numbers.rest),
    ...directions(fields, dates.rest),
    ...namedValues(fields, dates.rest),
  ]);
}

function take(text: string, pattern: RegExp): Found {
  const values = [...text.matchAll(pattern)].map(([all, first, second]) => first ?? second ?? all);
  return { values: [...new Set(values)], rest: text.replace(pattern, " ") };
}

type Entry = [string, Json];
type Kind = FieldPlan["kind"] | TextInput;

const textKinds: readonly Kind[] = ["single-line", "multiline"];

const ofKinds = (fields: readonly FormField[], kinds: readonly Kind[]): FormField[] =>
  fields.filter(({ plan }) => kinds.includes(plan.kind === "text" ? plan.input : plan.kind));

/** The fields that need a value most: the required ones, or else those without a default, or else all. */
function neediest(fields: readonly FormField[]): readonly FormField[] {
  const required = fields.filter(({ field }) => field.isRequired);
  if (required.length > 0) return required;
  const open = fields.filter(({ plan }) => plan.schema["default"] === undefined);
  return open.length > 0 ? open : fields;
}

/** The only quoted text; or else the only URL or email address for a required text of a tool with no such field. */
function asText(fields: readonly FormField[], [texts, ...others]: [Found, ...Found[]]): Entry[] {
  if (texts.values.length > 0) return only(fields, texts, textKinds);
  if (ofKinds(fields, ["url", "email"]).length > 0) return [];
  const required = fields.filter(({ field }) => field.isRequired);
  return only(required, { values: others.flatMap(({ values }) => values), rest: "" }, textKinds);
}

/** The only value for the only field of these kinds. */
function only(fields: readonly FormField[], { values }: Found, kinds: readonly Kind[]): Entry[] {
  const [taker, anotherTaker] = neediest(ofKinds(fields, kinds));
  const [value, anotherValue] = values;
  if (taker === undefined || value === undefined) return [];
  if (anotherTaker !== undefined || anotherValue !== undefined) return [];
  const { field, plan } = taker;
  if (plan.kind !== "number") return [[field.name, value]];
  const isFitting = !plan.isWhole || Number.isInteger(Number(value));
  return isFitting ? [[field.name, Number(value)]] : [];
}

/** Several numbers for the same count of fields. */
function inOrder(fields: readonly FormField[], { values }: Found): Entry[] {
  const takers = neediest(ofKinds(fields, ["number"]));
  if (takers.length < 2 || takers.length !== values.length) return [];
  return takers.flatMap(({ field, plan }, index) => fit(field.name, plan, values[index]));
}

const word = String.raw`([\p{L}°€$%][\p{L}\p{N}°²³/%-]{0,39})`;
const beforeTarget = new RegExp(String.raw`\d\s*${word}(?=\s+(?:to|into|in)\s)`, "iu");
const article = /^(?:a|an|the|me|my|it|be)$/i;

/** What follows "from" and "to", for fields such as `from` and `toUnit`: in "5 miles to km" the unit before "to", too. */
function directions(fields: readonly FormField[], text: string): Entry[] {
  return fields.flatMap(({ field: { name }, plan }) => {
    const [direction = ""] = name.split(/[_-]|(?=[A-Z])/);
    if (direction !== "from" && direction !== "to") return [];
    const pattern = new RegExp(String.raw`\b${direction}\s+${word}`, "giu");
    const said = [...text.matchAll(pattern)].at(-1)?.[1];
    const value = said ?? (direction === "from" ? beforeTarget.exec(text)?.[1] : undefined);
    return value !== undefined && article.test(value) ? [] : fit(name, plan, value);
  });
}

/** What follows the name of a field and a colon or equals sign. */
function namedValues(fields: readonly FormField[], text: string): Entry[] {
  return fields.flatMap(({ field: { name }, plan }) => {
    if (!/^\w{1,60}$/.test(name)) return [];
    const pattern = new RegExp(String.raw`(?<!\w)${name}\s?[:=]\s?([^\s,;]{1,200})`, "i");
    return fit(name, plan, pattern.exec(text)?.[1]);
  });
}

/** A value as the field takes it; nothing where it does not fit. */
function fit(name: string, plan: FieldPlan, value: string | undefined): Entry[] {
  if (value === undefined) return [];
  if (plan.kind === "number") {
    const amount = Number(value);
    const isFitting = Number.isFinite(amount) && (!plan.isWhole || Number.isInteger(amount));
    return isFitting ? [[name, amount]] : [];
  }
  if (plan.kind === "choice") {
    const is = (label: string) => label.toLowerCase() === value.toLowerCase();
    const choice = plan.choices.find(({ label }) => is(label));
    return choice === undefined ? [] : [[name, choice.value]];
  }
  return plan.kind === "text" && plan.input === "single-line" ? [[name, value]] : [];
}

/** Choices whose label occurs in the message and in one field only. */
function choices(fields: readonly FormField[], text: string): Entry[] {
  const words = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ")} `;
  const named = fields.flatMap(({ field: { name }, plan }) => {
    if (plan.kind !== "choice") return [];
    const found = plan.choices.filter(
      ({ label }) =>
        label.trim().length > 1 &&
        words.includes(
          ` ${label
            .toLowerCase()
            .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
            .trim()} `,
        ),
    );
    const [choice] = found;
    return choice === undefined ? [] : [{ name, choice, isOnly: found.length === 1 }];
  });
  return named.flatMap(({ name, choice, isOnly }): Entry[] => {
    const others = named.filter((one) => one.name !== name);
    const isShared = others.some((one) => one.choice.label === choice.label);
    return isOnly && !isShared ? [[name, choice.value]] : [];
  });
}
