import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Checkbox, SelectField, TextField } from "#components/fields";
import { textAt } from "../definition/read.ts";
import { JsonField } from "../json-field.tsx";
import { isObject } from "#lib/json";
import { kindOf, setKind, setWord } from "./fields.ts";
import type { Kind } from "./fields.ts";
import { FieldValues } from "./field-values.tsx";
import { NameField } from "./name-field.tsx";
import { RowButtons } from "./row-buttons.tsx";
import type { Fields } from "./fields-props.ts";
import { SubSchema } from "./sub-schema.tsx";

const kindChoices: readonly { id: Kind; label: string }[] = [
  { id: "string", label: "Text" },
  { id: "number", label: "Number" },
  { id: "integer", label: "Whole number" },
  { id: "boolean", label: "Yes or no" },
  { id: "object", label: "Object" },
  { id: "array", label: "List" },
  { id: "other", label: "Other (JSON)" },
];

type FieldRowProps = {
  Fields: Fields;
  name: string;
  isRequired: boolean;
  schema: JsonObject;
  place: string;
  isFirst: boolean;
  isLast: boolean;
  isNameTaken: (name: string) => boolean;
  onRename: (name: string) => void;
  onRequired: (isRequired: boolean) => void;
  onChange: (schema: JsonObject) => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

/** One field: its name, kind and words, and what its values may be. What is not shown stays as it is. */
export function FieldRow({
  Fields,
  name,
  isRequired,
  schema,
  place,
  isFirst,
  isLast,
  isNameTaken,
  onRename,
  onRequired,
  onChange,
  onMove,
  onRemove,
}: FieldRowProps): ReactNode {
  const kind = kindOf(schema);
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-xl border border-line p-3 sm:p-4">
      <legend className="sr-only">Field {name}</legend>
      <div className="flex flex-wrap items-end gap-3">
        <NameField name={name} isTaken={isNameTaken} onRename={onRename} />
        <SelectField
          label="Kind"
          choices={kind === "other" ? kindChoices : kindChoices.filter(({ id }) => id !== "other")}
          value={kind}
          onChange={(next) => onChange(setKind(schema, next))}
          className="w-40"
        />
        <Checkbox isSelected={isRequired} onChange={onRequired}>
          Required
        </Checkbox>
        <RowButtons
          name={name}
          isFirst={isFirst}
          isLast={isLast}
          onMove={onMove}
          onRemove={onRemove}
        />
      </div>
      <TextField
        label="Description"
        value={textAt(schema, "description")}
        onChange={(words) => onChange(setWord(schema, "description", words || undefined))}
      />
      {kind === "other" ? (
        <JsonField
          label="Schema"
          hint="The fields do not show this one. It is kept, and can be changed as JSON."
          place={`${place}/schema`}
          rows={6}
          value={schema}
          onChange={(value) => (isObject(value) ? onChange(value) : undefined)}
        />
      ) : (
        <FieldValues kind={kind} schema={schema} place={place} onChange={onChange} />
      )}
      <SubSchema Fields={Fields} kind={kind} schema={schema} place={place} onChange={onChange} />
    </fieldset>
  );
}
