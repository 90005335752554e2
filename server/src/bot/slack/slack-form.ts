import type { InputBlock, KnownBlock, View } from "@slack/types";
import { z } from "zod";
import type { ChatChoice, ChatField, ChatForm, ChatValues } from "#core/chat";
import { slackFiles, toChatFiles } from "./slack-file-list.ts";

/** The `callback_id` of our forms. */
export const formCallbackId = "toolhost_form";
const actionId = "value";
const maxFields = 95;
const maxTextLength = 3_000;

/** The `block_id` of a field. */
export function fieldBlockId(name: string): string {
  return `field:${name}`;
}

/** The question of a form, and where to answer it: Slack sends no response URL with a form. */
function writeFormState({ questionId, responseUrl }: ChatForm): string {
  return responseUrl === undefined ? questionId : `${questionId} ${responseUrl}`.slice(0, 3_000);
}

export function readFormState(text: string): { questionId: string; responseUrl?: string } {
  const [questionId = "", responseUrl] = text.split(" ");
  return { questionId, ...(responseUrl === undefined ? {} : { responseUrl }) };
}

/** A form as a Slack modal. */
export function toSlackView(form: ChatForm): View {
  const introduction: KnownBlock[] =
    form.introduction === undefined || form.introduction.trim() === ""
      ? []
      : [{ type: "section", text: plain(form.introduction, 3_000) }];
  return {
    type: "modal",
    callback_id: formCallbackId,
    private_metadata: writeFormState(form),
    title: plain(form.title, 24),
    submit: plain(form.submitLabel, 24),
    close: plain("Cancel", 24),
    blocks: [...introduction, ...form.fields.slice(0, maxFields).map(toInput)],
  };
}

/** Replaces a form that changed nothing. */
export function toNoticeView(text: string): View {
  return {
    type: "modal",
    title: plain("Nothing changed", 24),
    close: plain("Close", 24),
    blocks: [{ type: "section", text: plain(text, 3_000) }],
  };
}

function toInput(field: ChatField): InputBlock {
  return {
    type: "input",
    block_id: fieldBlockId(field.name),
    // Slack would refuse an unchecked required box, which is a valid answer.
    optional: !field.isRequired || field.kind === "boolean",
    label: plain(field.label || field.name, 2_000),
    ...(field.hint === undefined || field.hint === "" ? {} : { hint: plain(field.hint, 2_000) }),
    element: toElement(field),
  };
}

function toElement(field: ChatField): InputBlock["element"] {
  const common = { action_id: actionId };
  switch (field.kind) {
    case "text":
    case "longText": {
      const { initial } = field;
      const maxLength = Math.min(maxTextLength, Math.max(1, field.maxLength ?? maxTextLength));
      // Part of a value would be another value.
      const fits = initial !== undefined && initial.length <= maxLength;
      return {
        ...common,
        type: "plain_text_input",
        multiline: field.kind === "longText",
        ...(fits ? { initial_value: initial } : {}),
        ...(field.maxLength === undefined ? {} : { max_length: maxLength }),
      };
    }
    case "number":
      return {
        ...common,
        type: "number_input",
        is_decimal_allowed: !field.isWhole,
        ...numberBounds(field),
      };
    case "boolean": {
      const yes = toOption({ label: "Yes", value: "true" });
      return {
        ...common,
        type: "checkboxes",
        options: [yes],
        ...(field.initial === true ? { initial_options: [yes] } : {}),
      };
    }
    case "date":
      return {
        ...common,
        type: "datepicker",
        ...(isDate(field.initial) ? { initial_date: field.initial } : {}),
      };
    case "time":
      return {
        ...common,
        type: "timepicker",
        ...(isTime(field.initial) ? { initial_time: field.initial } : {}),
      };
    case "choice":
    case "choices":
      return toSelect(field);
    default:
      return {
        ...common,
        type: "file_input",
        max_files: Math.min(10, Math.max(1, field.maxFiles)),
      };
  }
}

/** The bounds and initial value of a number that Slack accepts; it refuses the whole form for any other. */
function numberBounds(field: Extract<ChatField, { kind: "number" }>): object {
  const { isWhole, initial } = field;
  const least = isWhole && field.min !== undefined ? Math.ceil(field.min) : field.min;
  const most = isWhole && field.max !== undefined ? Math.floor(field.max) : field.max;
  const isRange = (least ?? -Infinity) <= (most ?? Infinity);
  const min = isRange && isPlainNumber(least) ? { min_value: String(least) } : {};
  const max = isRange && isPlainNumber(most) ? { max_value: String(most) } : {};
  const start = initial === undefined ? undefined : Number(initial);
  const fits =
    isPlainNumber(start) &&
    start >= (least ?? -Infinity) &&
    start <= (most ?? Infinity) &&
    (!isWhole || Number.isInteger(start));
  return { ...min, ...max, ...(fits ? { initial_value: String(start) } : {}) };
}

/** Slack reads no exponents. */
function isPlainNumber(value: number | undefined): value is number {
  return value !== undefined && /^-?\d+(?:\.\d+)?$/.test(String(value));
}

function isDate(text: string | undefined): boolean {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isTime(text: string | undefined): boolean {
  return text !== undefined && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

const maxChoices = 100;

function toSelect(
  field: Extract<ChatField, { kind: "choice" | "choices" }>,
): InputBlock["element"] {
  const choices = field.choices.slice(0, maxChoices);
  const options = choices.map(toOption);
  if (field.kind === "choice") {
    const initial = choices.find(({ value }) => value === field.initial);
    return {
      action_id: actionId,
      type: "static_select",
      options,
      ...(initial === undefined ? {} : { initial_option: toOption(initial) }),
    };
  }
  const chosen = choices.filter(({ value }) => field.initial?.includes(value) === true);
  return {
    action_id: actionId,
    type: "multi_static_select",
    options,
    ...(chosen.length === 0 ? {} : { initial_options: chosen.map(toOption) }),
  };
}

function toOption({ label, value }: ChatChoice) {
  return { text: plain(label || value, 75), value };
}

function plain(text: string, length: number) {
  const shown = text.length > length ? `${text.slice(0, length - 1)}…` : text;
  return { type: "plain_text" as const, text: shown || " ", emoji: false };
}

const option = z.object({ value: z.string() });
const element = z.object({
  type: z.string(),
  value: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_time: z.string().nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).nullish(),
  files: slackFiles.nullish(),
});

/** The submitted values of a form. */
export const viewState = z.object({
  values: z.record(z.string(), z.record(z.string(), element)),
});

/** The submitted values by field name. */
export function readFormValues({ values }: z.infer<typeof viewState>): ChatValues {
  const prefix = fieldBlockId("");
  const entries = Object.entries(values).flatMap(([blockId, actions]) => {
    const given = actions[actionId];
    if (given === undefined || !blockId.startsWith(prefix)) return [];
    const value = readValue(given);
    return value === undefined ? [] : [[blockId.slice(prefix.length), value] as const];
  });
  return Object.fromEntries(entries);
}

function readValue(given: z.infer<typeof element>): ChatValues[string] | undefined {
  switch (given.type) {
    case "checkboxes":
      return (given.selected_options ?? []).length > 0;
    case "multi_static_select": {
      const chosen = (given.selected_options ?? []).map(({ value }) => value);
      return chosen.length === 0 ? undefined : chosen;
    }
    case "file_input": {
      const files = toChatFiles(given.files ?? []);
      return files.length === 0 ? undefined : { files };
    }
    default:
      return (
        given.value ??
        given.selected_option?.value ??
        given.selected_date ??
        given.selected_time ??
        undefined
      );
  }
}
