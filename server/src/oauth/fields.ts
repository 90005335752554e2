import { html } from "hono/html";
import { messages } from "./messages.ts";
import type { Html } from "./page.ts";

type Field = {
  name: string;
  label: string;
  type: "email" | "password" | "text";
  autocomplete: string;
  value?: string;
  readOnly?: boolean;
  minLength?: number;
  /** Gets the focus when the page opens; at most one field of a page. */
  isFirst?: boolean;
};

/** A field with its label, described by the form's problem if it has one. */
export function field(given: Field, problem?: string): Html {
  const { name, label, type, autocomplete, value = "", minLength = 1 } = given;
  const attributes = `${given.readOnly === true ? "readonly" : ""} ${given.isFirst === true ? "autofocus" : ""}`;
  return html`<div class="ui-field">
    <label class="ui-label" for="${name}">${label}</label>
    <input
      class="ui-input"
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      required
      minlength="${minLength}"
      maxlength="320"
      value="${value}"
      ${attributes}
      aria-describedby="${problem === undefined ? "" : "problem"}"
    />
  </div>`;
}

/** The problem of a submitted form. */
export function alert(problem: string | undefined): Html | "" {
  return problem === undefined
    ? ""
    : html`<p class="ui-note bad" role="alert" id="problem">${problem}</p>`;
}

/** A hidden field. */
export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** The sign-in library enforces the same minimum length. */
export const newPassword: Field = {
  name: "password",
  label: messages.recovery.newPassword,
  type: "password",
  autocomplete: "new-password",
  minLength: 8,
};
