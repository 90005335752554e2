import { z } from "zod";
import type { ChatField, ChatFieldProblem, ChatForm, ChatValues } from "#core/chat";
import { readAttachments } from "./discord-files.ts";
import type { Attachments } from "./discord-files.ts";
import { fieldId, planModal, restId } from "./discord-form.ts";
import { messages } from "./messages.ts";

const element = z.object({
  custom_id: z.string().max(100),
  value: z.union([z.string().max(10_000), z.boolean()]).nullish(),
  values: z.array(z.string().max(200)).max(25).nullish(),
});

/** The submitted fields of a modal. */
export const modalComponents = z
  .array(z.looseObject({ type: z.number(), component: element.optional() }))
  .max(10);

type Submitted = { components: z.infer<typeof modalComponents>; attachments: Attachments };
type Value = ChatValues[string];
type Reading = { value: Value } | { problem: string } | undefined;

/** The submitted values by field name, and the values that cannot be read. */
export function readModal(
  form: ChatForm,
  submitted: Submitted,
): { values: ChatValues; problems: ChatFieldProblem[] } {
  const { own, rest } = planModal(form);
  const given = givenIn(submitted);
  const shared = given.get(restId)?.value;
  const lines = readLines(rest, typeof shared === "string" ? shared : "");
  const values: [string, Value][] = [];
  const problems: ChatFieldProblem[] = lines.unknown.map((line) => ({
    name: line.slice(0, 60),
    message: messages.unknownField,
  }));
  for (const field of [...own, ...rest]) {
    const written = lines.values.get(field.name);
    const isShared = rest.includes(field);
    const read = isShared
      ? readWritten(field, written ?? "", /,|\n/)
      : readElement(field, given.get(fieldId(field)), submitted.attachments);
    if (read === undefined) continue;
    if ("problem" in read) problems.push({ name: field.name, message: read.problem });
    else values.push([field.name, read.value]);
  }
  return { values: Object.fromEntries(values), problems };
}

/** The fields of a modal by `custom_id`. */
export function givenIn({
  components,
}: Pick<Submitted, "components">): Map<string, z.infer<typeof element>> {
  return new Map(
    components.flatMap(({ component }) =>
      component === undefined ? [] : [[component.custom_id, component] as const],
    ),
  );
}

function readElement(
  field: ChatField,
  given: z.infer<typeof element> | undefined,
  attachments: Attachments,
): Reading {
  if (given === undefined) return undefined;
  const { value, values } = given;
  if (typeof value === "boolean") return { value };
  if (field.kind === "file") {
    const files = readAttachments(attachments, values ?? []);
    return files.length === 0 ? undefined : { value: { files } };
  }
  if (values != null) {
    if (values.length === 0) return undefined;
    return field.kind === "choices" ? { value: values } : { value: values[0] ?? "" };
  }
  return readWritten(field, value ?? "", /\n/);
}

/** Parses text as the value of a field. */
function readWritten(field: ChatField, text: string, separator: RegExp): Reading {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  switch (field.kind) {
    case "boolean":
      if (/^(yes|true|1)$/i.test(trimmed)) return { value: true };
      return /^(no|false|0)$/i.test(trimmed)
        ? { value: false }
        : { problem: messages.enterYesOrNo };
    case "date":
      return readDate(trimmed);
    case "time":
      return /^([01]\d|2[0-3]):[0-5]\d$/.test(trimmed)
        ? { value: trimmed }
        : { problem: messages.enterTime };
    case "choice":
      return choose(field.choices, trimmed);
    case "choices": {
      const parts = trimmed.split(separator).map((part) => part.trim());
      const chosen = parts.filter((part) => part !== "").map((part) => choose(field.choices, part));
      const wrong = chosen.find((one) => "problem" in one);
      return wrong ?? { value: chosen.flatMap((one) => ("value" in one ? [one.value] : [])) };
    }
    default:
      return { value: text };
  }
}

function readDate(text: string): Reading {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDate ? { value: text } : { problem: messages.enterDate };
}

type Choices = Extract<ChatField, { kind: "choice" }>["choices"];

function choose(choices: Choices, text: string): { value: string } | { problem: string } {
  const found = choices.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  return found === undefined
    ? { problem: messages.notAChoice(text.slice(0, 60)) }
    : { value: found.value };
}

/** The values of fields that share one text, as `name: value` lines; other lines continue the value before. */
function readLines(fields: readonly ChatField[], text: string) {
  const values = new Map<string, string>();
  const unknown: string[] = [];
  let last: string | undefined;
  for (const line of text.split("\n")) {
    const field = fields.find(({ name }) => line.startsWith(`${name}:`));
    if (field !== undefined) {
      last = field.name;
      values.set(last, line.slice(last.length + 1).trim());
    } else if (last !== undefined) values.set(last, `${values.get(last) ?? ""}\n${line}`);
    else if (line.trim() !== "") unknown.push(line.trim());
  }
  return { values, unknown: unknown.slice(0, 5) };
}
