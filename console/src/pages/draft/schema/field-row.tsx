import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { textAt } from "../definition/read-definition.ts";
import { JsonField } from "../json-field.tsx";
import { isObject } from "#lib/json";
import { kindOf, setKind, setKeyword } from "./fields.ts";
import type { Kind } from "./fields.ts";
import { FieldFrame } from "./field-frame.tsx";
import type { FieldPosition } from "./field-frame.tsx";
import { FieldValues } from "./field-values.tsx";
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

type FieldRowProps = FieldPosition & {
  Fields: Fields;
  name: string;
  isRequired: boolean;
  schema: JsonObject;
  place: string;
  isNameTaken: (name: string) => boolean;
  onRename: (name: string) => void;
  onRequired: (isRequired: boolean) => void;
  onChange: (schema: JsonObject) => void;
};

/** One field: its name, kind and words, and what its values may be. What is not shown stays as it is. */
export function FieldRow({
  Fields,
  isRequired,
  schema,
  place,
  onRequired,
  onChange,
  ...field
}: FieldRowProps): ReactNode {
  const kind = kindOf(schema);
  return (
    <FieldFrame
      {...field}
      kinds={kind === "other" ? kindChoices : kindChoices.filter(({ id }) => id !== "other")}
      kind={kind}
      onKind={(next) => onChange(setKind(schema, next))}
      mark="Required"
      isMarked={isRequired}
      onMark={onRequired}
      description={textAt(schema, "description")}
      onDescribe={(words) => onChange(setKeyword(schema, "description", words || undefined))}
    >
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
    </FieldFrame>
  );
}
