import { html } from "hono/html";
import type { Html } from "./page.ts";

type Field = {
  name: string;
  label: string;
  type: "email" | "password" | "text";
  autocomplete: string;
  value?: string;
  readOnly?: boolean;
  minLength?: number;
  /** Where one begins to type; one field of a page at most. */
  isFirst?: boolean;
};

/** A field with its label; a problem that the form has is told with it. */
export function field(given: Field, problem?: string): Html {
  const { name, label, type, autocomplete, value = "", minLength = 1 } = given;
  const marks = `${given.readOnly === true ? "readonly" : ""} ${given.isFirst === true ? "autofocus" : ""}`;
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      required
      minlength="${minLength}"
      maxlength="320"
      value="${value}"
      ${marks}
      aria-describedby="${problem === undefined ? "" : "problem"}"
    />`;
}

/** What is wrong with what was sent. */
export function alert(problem: string | undefined): Html | "" {
  return problem === undefined
    ? ""
    : html`<p class="problem" role="alert" id="problem">${problem}</p>`;
}

/** A field that the person does not see. */
export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** Passwords have at least so many characters; the library refuses others as well. */
export const newPassword: Field = {
  name: "password",
  label: "New password, at least 8 characters",
  type: "password",
  autocomplete: "new-password",
  minLength: 8,
};
