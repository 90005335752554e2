const count = (size: number, one: string, many: string) => `${size} ${size === 1 ? one : many}`;

/** What {@link checkValue} reports to the person who fills in a form. */
export const checkMessages = {
  required: "Required.",
  unknownField: "Unknown field.",
  unknownChoice: "Choose one of the listed values.",
  duplicateItems: "Items must be unique.",
  constant: (value: string) => `Must be ${value}.`,
  minLength: (min: number) => `Must have at least ${count(min, "character", "characters")}.`,
  maxLength: (max: number, length: number) =>
    `Must have at most ${count(max, "character", "characters")}; it has ${length}.`,
  pattern: (pattern: string) => `Must match the pattern ${pattern}.`,
  minimum: (min: number) => `Must be at least ${min}.`,
  maximum: (max: number) => `Must be at most ${max}.`,
  exclusiveMinimum: (min: number) => `Must be greater than ${min}.`,
  exclusiveMaximum: (max: number) => `Must be less than ${max}.`,
  multipleOf: (step: number) => `Must be a multiple of ${step}.`,
  minItems: (min: number) => `Add at least ${count(min, "item", "items")}.`,
  maxItems: (max: number) => `Must have at most ${count(max, "item", "items")}.`,
  oneOfTypes: (types: readonly string[]) => `Must be of type ${types.join(" or ")}.`,
};

/** What {@link checkValue} reports for a value of the wrong type, by the type that the schema wants. */
export const typeMessages: Readonly<Record<string, string>> = {
  string: "Must be text.",
  number: "Must be a number.",
  integer: "Must be a whole number.",
  boolean: "Must be yes or no.",
  array: "Must be a list.",
  object: "Must be an object.",
  null: "Must be empty.",
};

/** What {@link checkValue} reports for text of the wrong format. */
export const formatMessages = {
  email: "Must be an email address.",
  url: "Must be a URL, for example https://example.com.",
  date: "Must be a date, for example 2026-01-31.",
  dateTime: "Must be a date and time, for example 2026-01-31T12:00:00Z.",
  uuid: "Must be a UUID.",
};

/** Labels of the variants of a value that have no title of their own. */
export const variantLabels = {
  withFields: (names: readonly string[]) => `With ${names.join(", ")}`,
  numbered: (number: number) => `Option ${number}`,
};

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
export const typeComments = {
  input: "The tool's input.",
  output: "The tool's output.",
  undeclared: "Properties that are not declared are returned as well.",
  context: "The tool's second argument.",
  file: "File ID. Open the file with `ctx.files.open`.",
  format: (format: string) => `Format: ${format}`,
};

/** Shown in place of JSON that is nested more deeply than the engine can write. */
export const tooDeep = "(too deeply nested to display)";
