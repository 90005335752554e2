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
import { messages } from "./messages.ts";
import { SubSchema } from "./sub-schema.tsx";

const kindChoices = (
  ["string", "number", "integer", "boolean", "object", "array", "other"] as const
).map((id: Kind) => ({ id, label: messages.types[id] }));

type FieldRowProps = FieldPosition & {
  Fields: Fields;
  name: string;
  isRequired: boolean;
  schema: JsonObject;
  path: string;
  isNameTaken: (name: string) => boolean;
  onRename: (name: string) => void;
  onRequired: (isRequired: boolean) => void;
  onChange: (schema: JsonObject) => void;
};

/** One field: its name, type and description, and the constraints on its values. Other keywords are preserved. */
export function FieldRow({
  Fields,
  isRequired,
  schema,
  path,
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
      checkboxLabel={messages.fields.required}
      isChecked={isRequired}
      onCheck={onRequired}
      description={textAt(schema, "description")}
      onDescribe={(text) => onChange(setKeyword(schema, "description", text || undefined))}
    >
      {kind === "other" ? (
        <JsonField
          label={messages.fields.schema}
          hint={messages.fields.schemaHint}
          path={`${path}/schema`}
          rows={6}
          value={schema}
          onChange={(value) => (isObject(value) ? onChange(value) : undefined)}
        />
      ) : (
        <FieldValues kind={kind} schema={schema} path={path} onChange={onChange} />
      )}
      <SubSchema Fields={Fields} kind={kind} schema={schema} path={path} onChange={onChange} />
    </FieldFrame>
  );
}
