import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { SelectField } from "#components/select-field";
import { textAt } from "../definition/read-definition.ts";
import { JsonField } from "../json-field.tsx";
import { LinesField } from "../lines-field.tsx";
import { NumberField } from "../number-field.tsx";
import { setKeyword } from "./fields.ts";
import type { Kind } from "./fields.ts";

const formats = [
  { id: "", label: "Any text" },
  { id: "date", label: "Date" },
  { id: "date-time", label: "Date and time" },
  { id: "time", label: "Time" },
  { id: "email", label: "E-mail address" },
  { id: "uri", label: "Web address" },
  { id: "uuid", label: "UUID" },
] as const;

const bounds: Readonly<Partial<Record<Kind, readonly (readonly [word: string, label: string])[]>>> =
  {
    string: [
      ["minLength", "At least so many characters"],
      ["maxLength", "At most so many characters"],
    ],
    number: [
      ["minimum", "At least"],
      ["maximum", "At most"],
    ],
    integer: [
      ["minimum", "At least"],
      ["maximum", "At most"],
    ],
    array: [
      ["minItems", "At least so many items"],
      ["maxItems", "At most so many items"],
    ],
  };

/** Which values a field takes. It is folded away until somebody wants it, or something is said. */
export function FieldValues({
  kind,
  schema,
  place,
  onChange,
}: {
  kind: Kind;
  schema: JsonObject;
  place: string;
  onChange: (schema: JsonObject) => void;
}): ReactNode {
  const set = (word: string, value: JsonObject[string] | undefined) =>
    onChange(setKeyword(schema, word, value));
  const format = textAt(schema, "format");
  const choices = formats.some(({ id }) => id === format)
    ? formats
    : [...formats, { id: format, label: format }];
  const listed = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  const areTexts = listed.every((one) => typeof one === "string");
  return (
    <details className="group">
      <summary className="w-fit cursor-pointer text-sm text-soft">Values and default</summary>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
        {kind === "string" ? (
          <>
            <SelectField
              label="Format"
              choices={choices}
              value={format}
              onChange={(id) => set("format", id === "" ? undefined : id)}
            />
            {areTexts ? (
              <LinesField
                label="Only these"
                hint="One a line; empty takes any."
                lines={listed.map(String)}
                onChange={(lines) => set("enum", lines.length === 0 ? undefined : lines)}
              />
            ) : null}
          </>
        ) : null}
        {(bounds[kind] ?? []).map(([word, label]) => (
          <NumberField
            key={word}
            label={label}
            value={schema[word]}
            onChange={(value) => set(word, value)}
          />
        ))}
        <JsonField
          label="Default, as JSON"
          place={`${place}/default`}
          rows={2}
          value={schema["default"]}
          onChange={(value) => set("default", value)}
        />
      </div>
    </details>
  );
}
