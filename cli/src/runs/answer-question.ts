import process from "node:process";
import type { Client, Question } from "@toolhost/client";
import { isRecord } from "../json.ts";
import { toLine, toTerminalText } from "../terminal/text.ts";

const maxLabel = 200;
const maxMessage = 4_000;

/**
 * Asks the user of the terminal what a running tool wants to know, and sends the answer. `signal` ends the dialog, when the question
 * is closed elsewhere. Returns false when the user interrupts it. All texts are the tool's, so they must not control the terminal.
 */
export async function answerQuestion(
  client: Client,
  runId: string,
  { id: questionId, message, schema }: Question,
  signal: AbortSignal,
): Promise<boolean> {
  const prompts = await import("@clack/prompts");
  const common = { output: process.stderr, signal };
  process.stderr.write(`${toTerminalText(message.slice(0, maxMessage), false)}\n`);
  const isAnswered = await prompts.confirm({ message: "Answer the tool?", ...common });
  if (signal.aborted) return true;
  if (prompts.isCancel(isAnswered)) return false;
  if (!isAnswered) {
    await client.runs.answer(runId, { questionId, action: "decline" });
    return true;
  }
  const content = await ask(schema, common);
  if (signal.aborted) return true;
  if (content === undefined) return false;
  await client.runs.answer(runId, { questionId, action: "accept", content });
  return true;
}

type Common = { output: NodeJS.WriteStream; signal: AbortSignal };
type Content = Record<string, string | number | boolean | string[]>;

/** Undefined when the user cancels. */
async function ask(schema: Question["schema"], common: Common): Promise<Content | undefined> {
  const content: Content = {};
  const { properties, required } = schema;
  for (const [name, field] of Object.entries(isRecord(properties) ? properties : {})) {
    const isRequired = Array.isArray(required) && required.includes(name);
    const value = await askField(isRecord(field) ? field : {}, { name, isRequired, ...common });
    if (value === cancelled) return undefined;
    if (value !== undefined) content[name] = value;
  }
  return content;
}

const cancelled = Symbol("cancelled");
type Field = Common & { name: string; isRequired: boolean };

async function askField(schema: Record<string, unknown>, { name, isRequired, ...common }: Field) {
  const { select, multiselect, confirm, text, isCancel } = await import("@clack/prompts");
  const { title, description, type, default: initial } = schema;
  const label = [title ?? name, description].filter((part) => typeof part === "string");
  const message = clean(label.join(": "));
  const value = await (async () => {
    if (type === "boolean") {
      return confirm({ message, initialValue: initial === true, ...common });
    }
    if (type === "array") {
      const options = choicesOf(isRecord(schema["items"]) ? schema["items"] : {}, false);
      const initialValues = Array.isArray(initial) ? initial.map(String) : [];
      return multiselect({ message, options, initialValues, required: false, ...common });
    }
    const options = choicesOf(schema, !isRequired);
    if (options.length > 1) {
      return select({ message, options, ...common });
    }
    const isNumber = type === "number" || type === "integer";
    const isText = typeof initial === "string" || typeof initial === "number";
    const initialValue = isText ? { initialValue: String(initial) } : {};
    const validate = (typed = "") => {
      if (typed === "") return isRequired ? "Enter a value." : undefined;
      return isNumber && !Number.isFinite(Number(typed)) ? "Enter a number." : undefined;
    };
    const typed = await text({ message, validate, ...initialValue, ...common });
    if (isCancel(typed) || (typed ?? "") === "") return isCancel(typed) ? typed : undefined;
    return isNumber ? Number(typed) : typed;
  })();
  if (isCancel(value)) return cancelled;
  return value === notSet ? undefined : value;
}

const notSet = "\u0000";

function choicesOf(schema: Record<string, unknown>, isOptional: boolean) {
  const titled = schema["oneOf"] ?? schema["anyOf"];
  const values = schema["enum"];
  const choices = Array.isArray(values)
    ? values.map((value) => ({ value: String(value), label: clean(String(value)) }))
    : (Array.isArray(titled) ? titled : []).filter(isRecord).map((one) => ({
        value: String(one["const"]),
        label: clean(String(one["title"])),
      }));
  return isOptional && choices.length > 0
    ? [{ value: notSet, label: "(not set)" }, ...choices]
    : choices;
}

function clean(text: string): string {
  return toTerminalText(toLine(text, maxLabel), false);
}
