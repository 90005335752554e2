import type { ReactNode } from "react";
import { SelectField } from "#components/select-field";
import { objectAt } from "../definition/read-definition.ts";
import type { Fields, FieldsProps } from "./fields-props.ts";
import { kindOf, setKind, setKeyword } from "./fields.ts";
import type { Kind } from "./fields.ts";
import { messages } from "./messages.ts";

const itemKinds = (
  ["string", "number", "integer", "boolean", "object", "array", "other"] as const
).map((id: Kind) => ({ id, label: messages.types[id] }));

/** The fields of an object, or the items of a list. */
export function SubSchema({
  Fields,
  kind,
  schema,
  path,
  onChange,
}: FieldsProps & { Fields: Fields; kind: Kind }): ReactNode {
  if (kind === "object") {
    return (
      <div className="border-l-2 border-line pl-3">
        <Fields schema={schema} path={path} onChange={onChange} />
      </div>
    );
  }
  if (kind !== "array") return null;
  const items = objectAt(schema, "items");
  const itemKind = kindOf(items);
  return (
    <div className="grid gap-3 border-l-2 border-line pl-3">
      <SelectField
        label={messages.fields.itemType}
        choices={itemKind === "other" ? itemKinds : itemKinds.filter(({ id }) => id !== "other")}
        value={itemKind}
        onChange={(next) => onChange(setKeyword(schema, "items", setKind(items, next)))}
        className="w-44"
      />
      <SubSchema
        Fields={Fields}
        kind={itemKind}
        schema={items}
        path={`${path}/items`}
        onChange={(next) => onChange(setKeyword(schema, "items", next))}
      />
    </div>
  );
}
