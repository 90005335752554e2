import type { ReactNode } from "react";
import { SelectField } from "#components/select-field";
import { objectAt } from "../definition/read-definition.ts";
import type { Fields, FieldsProps } from "./fields-props.ts";
import { kindOf, setKind, setKeyword } from "./fields.ts";
import type { Kind } from "./fields.ts";

const itemKinds: readonly { id: Kind; label: string }[] = [
  { id: "string", label: "Texts" },
  { id: "number", label: "Numbers" },
  { id: "integer", label: "Whole numbers" },
  { id: "boolean", label: "Yes or no" },
  { id: "object", label: "Objects" },
  { id: "array", label: "Lists" },
  { id: "other", label: "Other" },
];

/** What is inside of an object or a list. */
export function SubSchema({
  Fields,
  kind,
  schema,
  place,
  onChange,
}: FieldsProps & { Fields: Fields; kind: Kind }): ReactNode {
  if (kind === "object") {
    return (
      <div className="border-l-2 border-line pl-3">
        <Fields schema={schema} place={place} onChange={onChange} />
      </div>
    );
  }
  if (kind !== "array") return null;
  const items = objectAt(schema, "items");
  const itemKind = kindOf(items);
  return (
    <div className="grid gap-3 border-l-2 border-line pl-3">
      <SelectField
        label="A list of"
        choices={itemKind === "other" ? itemKinds : itemKinds.filter(({ id }) => id !== "other")}
        value={itemKind}
        onChange={(next) => onChange(setKeyword(schema, "items", setKind(items, next)))}
        className="w-44"
      />
      <SubSchema
        Fields={Fields}
        kind={itemKind}
        schema={items}
        place={`${place}/items`}
        onChange={(next) => onChange(setKeyword(schema, "items", next))}
      />
    </div>
  );
}
