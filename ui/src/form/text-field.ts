import { h, newElementId } from "../dom.ts";
import { numberAt, textAt } from "@toolhost/tool-schema/json";
import type { Json } from "@toolhost/tool-schema/json";
import type { TextInput } from "@toolhost/tool-schema";
import { withColorPicker } from "./color-picker.ts";
import { createControlField, createFrame, emptyValue } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";
import * as messages from "./messages.ts";

const inputTypes: Readonly<Record<Exclude<TextInput, "multiline">, string>> = {
  "single-line": "text",
  password: "password",
  color: "text",
  date: "date",
  time: "time",
  "date-time": "datetime-local",
  email: "email",
  url: "url",
};

/** Creates a field for text, a date or a time. */
export function createTextField(spec: FieldSpec, planned: TextInput): Field {
  const { plan, initial } = spec;
  const text = typeof initial === "string" ? initial : "";
  const controlValue = toControlValue(planned, text);
  // A textarea shows what the browser's control would discard.
  const input = controlValue === undefined || text.includes("\n") ? "multiline" : planned;
  const frame = createFrame(spec, hintOf(input));
  const suggestions = createSuggestions(plan.schema["enum"]);
  const attributes = { ...frame.control, placeholder: placeholderOf(plan.schema["examples"]) };
  const control =
    input === "multiline"
      ? h("textarea", { ...attributes, class: "ui-input", rows: 4, dir: "auto" })
      : h("input", {
          ...attributes,
          type: inputTypes[input],
          step: input === "time" || input === "date-time" ? 1 : undefined,
          maxlength: enforcedMaxLength(numberAt(plan.schema, "maxLength")),
          autocomplete: input === "password" ? "new-password" : "off",
          class: "ui-input",
          dir: input === "single-line" ? "auto" : undefined,
          list: suggestions?.id,
          "data-format": textAt(plan.schema, "format"),
        });
  control.value = input === "multiline" ? text : (controlValue ?? "");
  const read = () => {
    const { value } = control;
    if (value === "") return emptyValue(spec);
    // An unchanged value keeps its original notation.
    return value === controlValue ? text : fromControlValue(input, value);
  };
  const around = input === "color" ? withColorPicker(control, spec.label) : control;
  const field = createControlField(frame, control, { read, around });
  if (suggestions !== undefined) field.element.append(suggestions);
  return field;
}

const maxSuggestions = 5_000;

/** Suggests values for an enum that is too long for a select. */
function createSuggestions(values: Json | undefined): HTMLElement | undefined {
  if (!Array.isArray(values)) return undefined;
  const texts = values.filter((value) => typeof value === "string").slice(0, maxSuggestions);
  return h("datalist", { id: newElementId() }, ...texts.map((value) => h("option", { value })));
}

function hintOf(input: TextInput): string | undefined {
  if (input === "time") return messages.inUtc;
  return input === "date-time" ? messages.inLocalTime : undefined;
}

/** Converts text to the format of the browser's control; undefined if the control cannot represent it. */
function toControlValue(input: TextInput, text: string): string | undefined {
  if (text === "") return "";
  if (input === "date") return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
  if (input === "time") return /^(\d\d:\d\d(?::\d\d)?)(?:\.0+)?Z?$/.exec(text)?.[1];
  if (input !== "date-time") return text;
  const time = Date.parse(text);
  if (Number.isNaN(time)) return undefined;
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

function fromControlValue(input: TextInput, value: string): Json {
  if (input === "time") return `${value.length === 5 ? `${value}:00` : value}Z`;
  if (input !== "date-time") return value;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? value : time.toISOString();
}

function placeholderOf(examples: Json | undefined): string | undefined {
  const [first] = Array.isArray(examples) ? examples : [];
  return typeof first === "string" ? first.slice(0, 200) : undefined;
}

/** Browsers silently truncate pasted text at this length, so only short limits are enforced by the control. */
function enforcedMaxLength(length: number | undefined): number | undefined {
  return length !== undefined && length > 0 && length <= 20 ? length : undefined;
}
