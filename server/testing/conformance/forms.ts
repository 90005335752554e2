import { form } from "./content.ts";

const titled = (ordinal: readonly string[]) =>
  ordinal.map((title, index) => ({ const: `value${index + 1}`, title }));
const options = ["option1", "option2", "option3"];

/** A field of each type with a default. */
export const defaultsForm = form(
  "Review",
  {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  [],
);

/** A choice in each of its forms. */
export const enumsForm = form(
  "Pick",
  {
    untitledSingle: { type: "string", enum: options },
    titledSingle: {
      type: "string",
      oneOf: titled(["First Option", "Second Option", "Third Option"]),
    },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: {
      type: "array",
      items: { anyOf: titled(["First Choice", "Second Choice", "Third Choice"]) },
    },
  },
  [],
);
