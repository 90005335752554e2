import { ChatError } from "#core/chat";
import type { ChatField, ChatFieldProblem, ChatForm, ChatValues } from "#core/chat";
import { messages } from "./messages.ts";
import { createCard, fits } from "./teams-card.ts";
import { literal, withoutFunctions } from "./teams-text.ts";
import type { CardElement } from "./teams-text.ts";

const prefix = "field:";

type Data = Readonly<Record<string, unknown>>;

/** A form as a card that replaces the pressed message for one person. Throws `ChatError` where a page is needed. */
export function toFormCard(
  form: ChatForm,
  { problems = [], data }: { problems?: readonly ChatFieldProblem[]; data?: Data } = {},
): object {
  if (form.fields.some(({ kind }) => kind === "file")) {
    throw new ChatError("refused", "form: Teams has no input for files");
  }
  const introduction = form.introduction?.trim() ?? "";
  const action = {
    type: "Action.Execute",
    title: withoutFunctions(form.submitLabel),
    verb: "submit",
    style: "positive",
    data: { questionId: form.questionId, choice: form.choice ?? "" },
  };
  const body = [
    literal(form.title || " ", { isBold: true }),
    ...(introduction === "" ? [] : [literal(introduction)]),
    ...form.fields.flatMap((field) => {
      const problem = problems.find(({ name }) => name === field.name);
      const given = data?.[`${prefix}${field.name}`];
      return [
        toInput(
          field,
          typeof given === "string" || typeof given === "number" ? String(given) : undefined,
        ),
        ...(problem === undefined ? [] : [{ ...literal(problem.message), spacing: "None" }]),
        ...(field.hint ? [{ ...literal(field.hint), spacing: "None" }] : []),
      ];
    }),
    { type: "ActionSet", actions: [action] },
  ];
  if (!fits(body)) throw new ChatError("refused", "form: too long", { kind: "too_large" });
  return createCard(body);
}

function toInput(field: ChatField, given: string | undefined): CardElement {
  const common = {
    id: `${prefix}${field.name}`,
    label: withoutFunctions(field.label || field.name),
    errorMessage: messages.formField,
    // A switch that is off is a valid answer.
    isRequired: field.isRequired && field.kind !== "boolean",
  };
  const value = (initial: string | undefined) => {
    const shown = given ?? initial;
    return shown === undefined ? {} : { value: shown };
  };
  switch (field.kind) {
    case "number":
      return {
        ...common,
        type: "Input.Number",
        ...(field.min === undefined ? {} : { min: field.min }),
        ...(field.max === undefined ? {} : { max: field.max }),
        ...toNumber(value(field.initial).value),
      };
    case "boolean": {
      const { label: title, ...rest } = common;
      return { ...rest, type: "Input.Toggle", title, ...value(String(field.initial === true)) };
    }
    case "date":
      return { ...common, type: "Input.Date", ...value(field.initial) };
    case "time":
      return { ...common, type: "Input.Time", ...value(field.initial) };
    case "choice":
    case "choices": {
      const choices = field.choices.map(({ label, value: chosen }) => ({
        title: withoutFunctions(label) || chosen,
        value: chosen,
      }));
      const isMultiSelect = field.kind === "choices";
      const initial = field.kind === "choices" ? field.initial?.join(",") : field.initial;
      return { ...common, type: "Input.ChoiceSet", isMultiSelect, choices, ...value(initial) };
    }
    case "file":
      throw new ChatError("refused", "form: Teams has no input for files");
    default: {
      const { content, maxLength, initial } = field;
      const styles = { password: "Password", email: "Email", url: "Url" } as const;
      const style = content === undefined ? {} : { style: styles[content] };
      const isMultiline = field.kind === "longText";
      // Part of a value would be another value, and a password is entered again.
      const isShown = content !== "password" && (initial ?? "").length <= (maxLength ?? Infinity);
      const bounds = maxLength === undefined ? {} : { maxLength };
      const shown = isShown ? value(initial) : {};
      return { ...common, type: "Input.Text", isMultiline, ...bounds, ...style, ...shown };
    }
  }
}

function toNumber(text: string | undefined): object {
  const value = Number(text);
  return text === undefined || text.trim() === "" || !Number.isFinite(value) ? {} : { value };
}

/** The submitted values of a form. */
export function readFormValues({ fields }: ChatForm, data: Data): ChatValues {
  const values: [string, ChatValues[string]][] = [];
  for (const { name, kind } of fields) {
    const given = data[`${prefix}${name}`];
    const text = typeof given === "string" || typeof given === "number" ? String(given) : "";
    if (text.trim() === "") continue;
    if (kind === "boolean") values.push([name, text === "true"]);
    else values.push([name, kind === "choices" ? text.split(",") : text]);
  }
  return Object.fromEntries(values);
}
