import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { SelectField } from "#components/select-field";
import { textAt } from "../definition/read-definition.ts";
import { JsonField } from "../json-field.tsx";
import { LinesField } from "../lines-field.tsx";
import { NumberField } from "../number-field.tsx";
import { setKeyword } from "./fields.ts";
import type { Kind } from "./fields.ts";
import { messages as allMessages } from "./messages.ts";

type Bound = "minLength" | "maxLength" | "minimum" | "maximum" | "minItems" | "maxItems";

const messages = allMessages.values;

const formats = [
  { id: "", label: messages.formats.any },
  { id: "date", label: messages.formats.date },
  { id: "date-time", label: messages.formats.dateTime },
  { id: "time", label: messages.formats.time },
  { id: "email", label: messages.formats.email },
  { id: "uri", label: messages.formats.uri },
  { id: "uuid", label: messages.formats.uuid },
] as const;

const bounds: Readonly<Partial<Record<Kind, readonly Bound[]>>> = {
  string: ["minLength", "maxLength"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  array: ["minItems", "maxItems"],
};

/** The constraints on the values of a field, and its default. Collapsed until the user opens it. */
export function FieldValues({
  kind,
  schema,
  path,
  onChange,
}: {
  kind: Kind;
  schema: JsonObject;
  path: string;
  onChange: (schema: JsonObject) => void;
}): ReactNode {
  const set = (keyword: string, value: JsonObject[string] | undefined) =>
    onChange(setKeyword(schema, keyword, value));
  const format = textAt(schema, "format");
  const choices = formats.some(({ id }) => id === format)
    ? formats
    : [...formats, { id: format, label: format }];
  const listed = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  const areStrings = listed.every((one) => typeof one === "string");
  return (
    <details className="group">
      <summary className="w-fit cursor-pointer text-sm text-soft">{messages.title}</summary>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
        {kind === "string" ? (
          <>
            <SelectField
              label={messages.format}
              choices={choices}
              value={format}
              onChange={(id) => set("format", id === "" ? undefined : id)}
            />
            {areStrings ? (
              <LinesField
                label={messages.enum}
                hint={messages.enumHint}
                lines={listed.map(String)}
                onChange={(lines) => set("enum", lines.length === 0 ? undefined : lines)}
              />
            ) : null}
          </>
        ) : null}
        {(bounds[kind] ?? []).map((keyword) => (
          <NumberField
            key={keyword}
            label={messages[keyword]}
            value={schema[keyword]}
            onChange={(value) => set(keyword, value)}
          />
        ))}
        <JsonField
          label={messages.default}
          path={`${path}/default`}
          rows={2}
          value={schema["default"]}
          onChange={(value) => set("default", value)}
        />
      </div>
    </details>
  );
}
