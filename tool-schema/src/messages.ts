const count = (size: number, one: string, many: string) => `${size} ${size === 1 ? one : many}`;

/** Problems of values, for the user who fills in a form. */
export const required = "Required.";
export const unknownField = "Unknown field.";
export const unknownChoice = "Choose one of the listed values.";
export const duplicateItems = "Items must be unique.";
export const constant = (value: string) => `Must be ${value}.`;
export const minLength = (min: number) =>
  `Must have at least ${count(min, "character", "characters")}.`;
export const maxLength = (max: number, length: number) =>
  `Must have at most ${count(max, "character", "characters")}; it has ${length}.`;
export const pattern = (expression: string) => `Must match the pattern ${expression}.`;
export const minimum = (min: number) => `Must be at least ${min}.`;
export const maximum = (max: number) => `Must be at most ${max}.`;
export const exclusiveMinimum = (min: number) => `Must be greater than ${min}.`;
export const exclusiveMaximum = (max: number) => `Must be less than ${max}.`;
export const multipleOf = (step: number) => `Must be a multiple of ${step}.`;
export const minItems = (min: number) => `Add at least ${count(min, "item", "items")}.`;
export const maxItems = (max: number) => `Must have at most ${count(max, "item", "items")}.`;
export const oneOfTypes = (types: readonly string[]) => `Must be of type ${types.join(" or ")}.`;

/** Problems of values of the wrong type, by the type in the schema. */
export const typeMessages: Readonly<Record<string, string>> = {
  string: "Must be text.",
  number: "Must be a number.",
  integer: "Must be a whole number.",
  boolean: "Must be yes or no.",
  array: "Must be a list.",
  object: "Must be an object.",
  null: "Must be empty.",
};

/** Problems of text in the wrong format. */
export const email = "Must be an email address.";
export const url = "Must be a URL, for example https://example.com.";
export const date = "Must be a date, for example 2026-01-31.";
export const dateTime = "Must be a date and time, for example 2026-01-31T12:00:00Z.";
export const uuid = "Must be a UUID.";

/** Why a run is not as its example expects. */
type RunFailure = { code: string; message: string } | undefined;

const endOf = (status: string, error: RunFailure) =>
  error === undefined ? status : `${status} with ${error.code}: ${error.message}`;
export const notCompleted = (status: string, error: RunFailure) =>
  `Expected the run to complete, but it ${status === "failed" ? "" : "was "}${endOf(status, error)}`;
export const expectedFailure = (code: string, status: string, error: RunFailure) =>
  `Expected the run to fail with ${code}, but it ${status === "failed" ? "" : "has "}${endOf(status, error)}`;
export const noValue = (path: string) => `The output has no value at ${path}.`;
export const noMatch = (path: string, expression: string, text: string) =>
  `The value at ${path === "" ? "the root" : path} doesn't match ${expression}: ${text}`;
export const invalidPattern = (expression: string) =>
  `${expression} is not a valid regular expression.`;
export const slowPattern = (expression: string) =>
  `The pattern ${expression} may take too long. Use one with at most 3 repetitions and no repeated groups.`;
export const unsupportedKeyword = (name: string) =>
  `The schema uses "${name}", which is not supported here. Use type, properties, required, items, enum and limits.`;

/** Labels of the variants of a value without a title. */
export const variantWithFields = (names: readonly string[]) => `With ${names.join(", ")}`;
export const numberedVariant = (number: number) => `Option ${number}`;

/** Labels of variants that differ by their type alone. */
export const typeLabels: Readonly<Record<string, string>> = {
  string: "Text",
  number: "Number",
  integer: "Whole number",
  boolean: "Yes or no",
  array: "List",
  object: "Object",
  null: "Empty",
};

/** Doc comments in the TypeScript declarations of a tool. */
export const inputComment = "The tool's input.";
export const outputComment = "The tool's output.";
export const undeclaredComment = "Properties that are not declared are returned as well.";
export const contextComment = "The tool's second argument.";
export const fileComment = "File ID. Open the file with `ctx.files.open`.";
export const formatComment = (format: string) => `Format: ${format}`;

/** Shown in place of JSON that is nested more deeply than the engine can write. */
export const tooDeep = "(too deeply nested to display)";
