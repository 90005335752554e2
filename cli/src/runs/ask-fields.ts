import process from "node:process";
import type { Question } from "@toolhost/client";
import { checkValue } from "@toolhost/tool-schema";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { isRecord } from "../json.ts";
import { toLine, toTerminalText } from "../terminal/text.ts";

const maxLabel = 200;

type Answer = string | number | boolean | string[];

/** What the user has entered, by the names of the fields. */
export type Answers = Map<string, Answer>;

/** What is wrong with an answer, by the names of the fields. */
export type FieldProblems = ReadonlyMap<string, string>;

type Common = { output: NodeJS.WriteStream; signal: AbortSignal };
type Form = Common & { answers: Answers; problems: FieldProblems | undefined };

/**
 * Prompts the user for the fields of a form, or only for those with problems, and stores valid values in `answers`. Returns false when the user
 * cancels.
 */
export async function askFields(
  { properties, required }: Question["schema"],
  { answers, problems, ...common }: Form,
): Promise<boolean> {
  const all = Object.entries(isRecord(properties) ? properties : {});
  const named = all.filter(([name]) => problems?.has(name));
  for (const [name, property] of named.length > 0 ? named : all) {
    const schema = (isRecord(property) ? property : {}) as JsonObject;
    const isRequired = Array.isArray(required) && required.includes(name);
    const initial = answers.get(name) ?? schema["default"];
    const problem = problems?.get(name);
    if (problem !== undefined) showProblem(`${labelOf(name, schema)}: ${problem}`);
    const value = await askField({ name, schema, isRequired, initial, ...common });
    if (value === cancelled) return false;
    if (value === undefined) answers.delete(name);
    else answers.set(name, value);
  }
  return true;
}

/** The answers as the service takes them. */
export function contentOf(answers: Answers): Record<string, Answer> {
  // Unlike an assignment, this creates a member for every name.
  return Object.fromEntries(answers);
}

const cancelled = Symbol("cancelled");

type Field = Common & { name: string; schema: JsonObject; isRequired: boolean; initial: unknown };
type Asked = Promise<Answer | undefined | typeof cancelled>;

function askField(field: Field): Asked {
  const { schema, isRequired } = field;
  if (schema["type"] === "array") return askForList(field);
  const choices = choicesOf(schema);
  if (choices.length > 0) return askForChoice(field, choices);
  if (schema["type"] !== "boolean") return askForText(field);
  return isRequired ? askForConsent(field) : askForChoice(field, yesOrNo);
}

async function askForConsent({ name, schema, initial, ...field }: Field): Asked {
  const { confirm, isCancel } = await import("@clack/prompts");
  const message = labelOf(name, schema);
  const value = await confirm({ message, initialValue: initial === true, ...commonOf(field) });
  return isCancel(value) ? cancelled : value;
}

type Choice = { value: string | boolean; label: string };

const yesOrNo: readonly Choice[] = [
  { value: true, label: "Yes" },
  { value: false, label: "No" },
];

async function askForChoice(field: Field, choices: readonly Choice[]): Asked {
  const { select, isCancel } = await import("@clack/prompts");
  const { name, schema, isRequired, initial } = field;
  // The choices are identified by position, because any text can be one of them.
  const options = choices.map(({ label }, at) => ({ value: at, label }));
  const at = await select({
    message: labelOf(name, schema),
    options: isRequired ? options : [{ value: -1, label: "(not set)" }, ...options],
    initialValue: choices.findIndex(({ value }) => value === initial),
    ...commonOf(field),
  });
  return isCancel(at) ? cancelled : choices[at]?.value;
}

async function askForList(field: Field): Asked {
  const { multiselect, isCancel } = await import("@clack/prompts");
  const { name, schema, isRequired } = field;
  const options = choicesOf(isRecord(schema["items"]) ? schema["items"] : {});
  let initialValues = Array.isArray(field.initial) ? field.initial.map(String) : [];
  for (;;) {
    const value = await multiselect({
      message: labelOf(name, schema),
      options,
      initialValues,
      required: false,
      ...commonOf(field),
    });
    if (isCancel(value)) return cancelled;
    const problem = problemOf(schema, value);
    if (problem === undefined) return value;
    if (value.length === 0 && !isRequired) return undefined;
    showProblem(problem);
    initialValues = value;
  }
}

async function askForText(field: Field): Asked {
  const { text, isCancel } = await import("@clack/prompts");
  const { name, schema, isRequired, initial } = field;
  const isNumber = schema["type"] === "number" || schema["type"] === "integer";
  const read = (typed: string) => (isNumber ? Number(typed) : typed);
  const typed = await text({
    message: labelOf(name, schema),
    validate: (entered = "") => {
      if (entered.trim() === "") return isRequired ? "Enter a value." : undefined;
      if (isNumber && !Number.isFinite(Number(entered))) return "Enter a number.";
      return problemOf(schema, read(entered));
    },
    ...(typeof initial === "string" || typeof initial === "number"
      ? { initialValue: String(initial) }
      : {}),
    ...commonOf(field),
  });
  if (isCancel(typed)) return cancelled;
  return (typed ?? "").trim() === "" ? undefined : read(typed);
}

function commonOf({ output, signal }: Common): Common {
  return { output, signal };
}

function problemOf(schema: JsonObject, value: Answer): string | undefined {
  const [problem] = checkValue(schema, schema, value);
  return problem === undefined ? undefined : clean(problem.message);
}

function showProblem(problem: string): void {
  process.stderr.write(`${clean(problem)}\n`);
}

function labelOf(name: string, { title, description }: JsonObject): string {
  const label = [title ?? name, description].filter((part) => typeof part === "string");
  return clean(label.join(": "));
}

function choicesOf(schema: Record<string, unknown>): { value: string; label: string }[] {
  const titled = schema["oneOf"] ?? schema["anyOf"];
  const values = schema["enum"];
  return Array.isArray(values)
    ? values.map((value) => ({ value: String(value), label: clean(String(value)) }))
    : (Array.isArray(titled) ? titled : []).filter(isRecord).map((one) => ({
        value: String(one["const"]),
        label: clean(String(one["title"])),
      }));
}

function clean(text: string): string {
  return toTerminalText(toLine(text, maxLabel), false);
}
