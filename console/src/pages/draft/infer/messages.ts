/** Notes about types that cannot be expressed as a schema. */
export const messages = {
  unreadable: "The code could not be read.",
  noDefaultExport: "The code has no default export.",
  notAFunction: "The default export isn't a function.",
  untypedInput: "The first parameter has no type, and the code reads nothing from it.",
  generatedInput: "The code reads nothing from the input.",
  guessedText: "The code doesn't show the type, so text is assumed.",
  generatedOutput:
    "The return type Output is generated from this schema. Remove it, or declare a type with another name, to infer the schema.",
  inputNotAnObject: "The input must be an object.",
  untypedOutput: "The function returns any. Add a return type.",
  outputNotAnObject: "The output must be an object.",
  tooDeep: "The type is nested too deeply. Deeper values aren't restricted.",
  any: "The type is any, so any value is allowed.",
  undefinedValue: "The value is always undefined, which JSON can't represent.",
  noFunctions: "JSON can't represent functions.",
  notJson: (type: string) => `JSON can't represent ${type}.`,
  useInstead: (type: string, replacement: string) =>
    `JSON can't represent ${type}. Use ${replacement}.`,
  replacements: {
    Date: "a string such as 2026-01-31T12:00:00Z",
    Map: "an object",
    Set: "an array",
    Uint8Array: "a file, or Base64 text",
    ArrayBuffer: "a file, or Base64 text",
    Blob: "a file",
    File: "a file",
    ReadableStream: "a file",
    RegExp: "a string",
    Promise: "the type that it resolves to",
    URL: "a string",
  },
} as const;
