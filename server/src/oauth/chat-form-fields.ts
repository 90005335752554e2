import { html } from "hono/html";
import type {
  ChatChoice,
  ChatField,
  ChatFieldProblem,
  ChatForm,
  ChatValues,
  WebFormUpload,
} from "#core/chat";
import { messages } from "./messages.ts";
import type { Html } from "./page.ts";
import type { FormFile } from "./read-multipart.ts";

type Shown = {
  /** What the user sent before; undefined for a form that is shown first. */
  values: ChatValues | undefined;
  problems: readonly ChatFieldProblem[];
};

/** The name of a field on the page, because its own may have any length and characters. */
function nameOf(index: number): string {
  return `field-${index}`;
}

/** A field of a form, with its hint and problem. */
export function formField(given: ChatField, index: number, { values, problems }: Shown): Html {
  const field = values === undefined ? given : withValue(given, values[given.name]);
  const id = nameOf(index);
  const problem = problems.find(({ name }) => name === field.name)?.message;
  const notes = [
    field.hint === undefined ? "" : html`<p class="ui-help" id="${id}-hint">${field.hint}</p>`,
    problem === undefined ? "" : html`<p class="ui-error" id="${id}-problem">${problem}</p>`,
  ];
  const attributes = html`name="${id}" aria-describedby="${id}-hint ${id}-problem"
  aria-invalid="${problem === undefined ? "false" : "true"}"`;
  if (field.kind === "boolean") {
    return html`<div class="ui-field">
      <label class="ui-choice">
        <input class="ui-mark" type="checkbox" ${checked(field.initial === true)} ${attributes} />
        ${field.label}
      </label>
      ${notes}
    </div>`;
  }
  if (field.kind === "choices") {
    return html`<fieldset class="ui-field">
      <legend class="ui-label ${mark(field)}">${field.label}</legend>
      ${field.choices.map(
        ({ label, value }) =>
          html`<label class="ui-choice">
            <input
              class="ui-mark"
              type="checkbox"
              value="${value}"
              ${checked(field.initial?.includes(value) === true)}
              ${attributes}
            />
            ${label}
          </label>`,
      )}
      ${notes}
    </fieldset>`;
  }
  return html`<div class="ui-field">
    <label class="ui-label ${mark(field)}" for="${id}">${field.label}</label>
    ${control(field, html`id="${id}" class="ui-input" ${attributes} ${required(field)}`)} ${notes}
  </div>`;
}

type Single = Exclude<ChatField, { kind: "boolean" | "choices" }>;

function control(field: Single, attributes: Html): Html {
  switch (field.kind) {
    case "longText":
      return html`<textarea rows="4" ${attributes}>${field.initial ?? ""}</textarea>`;
    case "choice":
      return html`<span class="ui-select"
        ><select ${attributes}>
          ${
            field.isRequired && field.initial !== undefined
              ? ""
              : html`<option value="">${messages.chat.form.choose}</option>`
          }
          ${field.choices.map((choice) => option(choice, field.initial))}
        </select></span
      >`;
    case "file":
      return html`<input type="file" ${field.maxFiles > 1 ? "multiple" : ""} ${attributes} />`;
    case "number":
      return html`<input
        type="text"
        inputmode="${field.isWhole ? "numeric" : "decimal"}"
        value="${field.initial ?? ""}"
        ${attributes}
      />`;
    case "text":
      return html`<input
        type="${field.content ?? "text"}"
        value="${field.initial ?? ""}"
        ${field.content === "password" ? html`autocomplete="off"` : ""}
        ${attributes}
      />`;
    default:
      return html`<input type="${field.kind}" value="${field.initial ?? ""}" ${attributes} />`;
  }
}

function option({ label, value }: ChatChoice, initial: string | undefined): Html {
  return html`<option value="${value}" ${value === initial ? "selected" : ""}>${label}</option>`;
}

function mark({ isRequired }: ChatField): string {
  return isRequired ? "required" : "";
}

function required({ isRequired }: ChatField): string {
  return isRequired ? "required" : "";
}

function checked(isChecked: boolean): string {
  return isChecked ? "checked" : "";
}

/** The field as the user left it. */
function withValue(field: ChatField, value: ChatValues[string] | undefined): ChatField {
  const { initial: _, ...empty } = { initial: undefined, ...field };
  if (value === undefined || field.kind === "file") return empty;
  return { ...empty, initial: value } as ChatField;
}

/** The submitted values by the names of the fields. */
export function readFormValues({ fields }: ChatForm, sent: URLSearchParams): ChatValues {
  const values = fields.map((field, index) => [
    field.name,
    read(field, sent.getAll(nameOf(index))),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as ChatValues;
}

function read({ kind }: ChatField, sent: readonly string[]): ChatValues[string] | undefined {
  if (kind === "boolean") return sent.length > 0;
  if (kind === "choices") return sent;
  // A browser sends line breaks of texts as CRLF.
  const text = sent[0]?.replaceAll("\r\n", "\n") ?? "";
  return kind === "file" || text === "" ? undefined : text;
}

/** The files of the form's own fields, as many as each field takes. */
export function uploadsOf({ fields }: ChatForm, files: readonly FormFile[]): WebFormUpload[] {
  return fields.flatMap((field, index) => {
    if (field.kind !== "file") return [];
    return files
      .filter((file) => file.field === nameOf(index))
      .slice(0, field.maxFiles)
      .map((file) => ({ ...file, field: field.name }));
  });
}
