import { createHash } from "node:crypto";
import type {
  APIComponentInLabel,
  APILabelComponent,
  APIModalInteractionResponseCallbackData,
  APITextDisplayComponent,
  APITextInputComponent,
} from "discord-api-types/v10";
import type { ChatChoice, ChatField, ChatForm } from "#core/chat";
import { clip, escapeDiscord } from "./discord-text.ts";
import { messages } from "./messages.ts";

/** Discord allows five fields in a modal. */
const maxFields = 5;
const maxChoices = 25;
const maxLabelLength = 45;
const maxHintLength = 100;
const maxValueLength = 4_000;

/** The field that contains the fields beyond the limit. */
export const restId = "rest";

/** How a modal shows a form's fields: some on their own, the others as lines of one shared field. */
export type ModalPlan = { own: readonly ChatField[]; rest: readonly ChatField[] };

export function planModal({ fields }: ChatForm): ModalPlan {
  if (fields.length <= maxFields) return { own: fields, rest: [] };
  const own = new Set(
    fields.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxFields - 1),
  );
  return {
    own: fields.filter((field) => own.has(field)),
    // A file cannot be entered as text.
    rest: fields.filter((field) => !own.has(field) && field.kind !== "file"),
  };
}

function rank({ kind, isRequired }: ChatField): number {
  if (kind === "file") return isRequired ? 0 : 2;
  return isRequired ? 1 : 3;
}

/** The `custom_id` of a field, whose own name may be too long. */
export function fieldId({ name, kind }: ChatField): string {
  return createHash("sha256").update(`${kind}:${name}`).digest("base64url").slice(0, 22);
}

/** The `custom_id` of a form: the question, and the choice that opened it. */
function writeFormId({ questionId, choice }: ChatForm): string {
  return `form:${questionId}:${choice ?? ""}`;
}

export function readFormId(text: string): { questionId: string; choice: string } | undefined {
  const [, questionId, choice] = /^form:([^:]+):(.*)$/s.exec(text) ?? [];
  return questionId === undefined || choice === undefined ? undefined : { questionId, choice };
}

/** A form as a Discord modal. */
export function toModal(form: ChatForm): APIModalInteractionResponseCallbackData {
  const { own, rest } = planModal(form);
  const fields = own.map((field) =>
    labeled(field.label || field.name, field.hint, toComponent(field)),
  );
  const shared =
    rest.length === 0 ? [] : [labeled(messages.moreFields, messages.moreFieldsHint, toLines(rest))];
  const hasRoom = fields.length + shared.length < maxFields;
  const introduction: APITextDisplayComponent[] =
    form.introduction === undefined || form.introduction === "" || !hasRoom
      ? []
      : [{ type: 10, content: clip(escapeDiscord(form.introduction), 2_000) }];
  return {
    custom_id: writeFormId(form),
    title: clip(form.title, maxLabelLength) || "…",
    components: [...introduction, ...fields, ...shared],
  };
}

/** A component with its label. */
export function labeled(
  label: string,
  hint: string | undefined,
  component: APIComponentInLabel,
): APILabelComponent {
  const description = clip(hint?.replaceAll(/\s+/g, " ").trim() ?? "", maxHintLength);
  return {
    type: 18,
    label: clip(label, maxLabelLength),
    ...(description === "" ? {} : { description }),
    component,
  };
}

function toComponent(field: ChatField): APIComponentInLabel {
  const custom_id = fieldId(field);
  const required = field.isRequired;
  switch (field.kind) {
    case "boolean":
      return { type: 23, custom_id, ...(field.initial === true ? { default: true } : {}) };
    case "file": {
      const max_values = Math.min(10, Math.max(1, field.maxFiles));
      return { type: 19, custom_id, required, max_values, ...(required ? {} : { min_values: 0 }) };
    }
    case "choice":
      if (field.choices.length <= maxChoices) {
        return { ...toSelect(field.choices, [field.initial ?? ""]), custom_id, required };
      }
      break;
    case "choices":
      if (field.choices.length <= maxChoices) {
        const select = toSelect(field.choices, field.initial ?? []);
        const min_values = required ? 1 : 0;
        return { ...select, custom_id, required, min_values, max_values: field.choices.length };
      }
      break;
    default:
  }
  return toText(field, { custom_id, required });
}

function toSelect(choices: readonly ChatChoice[], chosen: readonly string[]) {
  const options = choices.map(({ label, value }) => ({
    label: clip(label || value, 100) || "…",
    value,
    ...(chosen.includes(value) ? { default: true } : {}),
  }));
  return { type: 3 as const, options };
}

function toText(
  field: ChatField,
  common: { custom_id: string; required: boolean },
): APITextInputComponent {
  const value = clip(writeValue(field), maxValueLength);
  const placeholder = clip(placeholderOf(field), 100);
  const maxLength = "maxLength" in field ? field.maxLength : undefined;
  return {
    type: 4,
    ...common,
    style: field.kind === "longText" || field.kind === "choices" ? 2 : 1,
    max_length: Math.min(maxValueLength, Math.max(1, maxLength ?? maxValueLength)),
    ...(value === "" ? {} : { value }),
    ...(placeholder === "" ? {} : { placeholder }),
  };
}

function placeholderOf(field: ChatField): string {
  switch (field.kind) {
    case "number":
      return field.isWhole ? messages.wholeNumber : messages.number;
    case "date":
      return messages.date;
    case "time":
      return messages.time;
    case "boolean":
      return messages.yesOrNo;
    case "choice":
      return messages.oneOf(field.choices.map(({ label }) => label));
    case "choices":
      return messages.someOf(field.choices.map(({ label }) => label));
    default:
      return "";
  }
}

/** The initial value of a field as text. */
function writeValue(field: ChatField): string {
  switch (field.kind) {
    case "boolean":
      return field.initial === undefined ? "" : field.initial ? messages.yes : messages.no;
    case "choice":
      return labelOf(field.choices, field.initial ?? "");
    case "choices":
      return (field.initial ?? []).map((value) => labelOf(field.choices, value)).join("\n");
    case "file":
      return "";
    default:
      return field.initial ?? "";
  }
}

function labelOf(choices: readonly ChatChoice[], value: string): string {
  return choices.find((choice) => choice.value === value)?.label ?? "";
}

function toLines(fields: readonly ChatField[]): APITextInputComponent {
  const lines = fields.map((field) => {
    const value = writeValue(field);
    const shown = field.kind === "choices" ? value.replaceAll("\n", ", ") : value;
    return `${field.name}: ${shown.includes("\n") ? "" : shown}`;
  });
  return {
    type: 4,
    custom_id: restId,
    style: 2,
    required: fields.some(({ isRequired }) => isRequired),
    max_length: maxValueLength,
    value: clip(lines.join("\n"), maxValueLength),
  };
}
