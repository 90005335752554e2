import type { ReactNode } from "react";
import { useDraft } from "../draft-context.ts";
import { useRowFocus } from "../use-row-focus.ts";
import { AddField } from "./add-field.tsx";
import {
  addField,
  fieldsOf,
  moveField,
  removeField,
  renameField,
  setField,
  setRequired,
} from "./fields.ts";
import { FieldRow } from "./field-row.tsx";
import type { FieldsProps } from "./fields-props.ts";

/** The members of an object's schema, one below the other. */
export function FieldList({ schema, place, onChange }: FieldsProps): ReactNode {
  const fields = fieldsOf(schema);
  const { store } = useDraft();
  const { rowsRef, follow } = useRowFocus<HTMLDivElement>();
  /** What was typed and is no JSON yet belongs to a place, and the places move. */
  const clearTexts = () => {
    for (const kept of Object.keys(store.getState().texts))
      if (kept.startsWith(`${place}/`)) store.setText(kept, undefined);
  };
  return (
    <div ref={rowsRef} data-rows className="grid gap-3">
      {fields.length === 0 ? (
        <p className="text-sm text-soft">No fields yet. A tool may well take none.</p>
      ) : (
        <ol className="grid gap-3">
          {fields.map(({ name, isRequired, schema: field }, at) => (
            // A field keeps its place while its name is typed.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${fields.length}-${at}`} className="min-w-0">
              <FieldRow
                Fields={FieldList}
                name={name}
                isRequired={isRequired}
                schema={field}
                place={`${place}/${at}`}
                isFirst={at === 0}
                isLast={at === fields.length - 1}
                isNameTaken={(other) => fields.some((one) => one.name === other)}
                onRename={(to) => {
                  const renamed = renameField(schema, name, to);
                  if (renamed !== undefined) onChange(renamed);
                }}
                onRequired={(required) => onChange(setRequired(schema, name, required))}
                onChange={(next) => onChange(setField(schema, name, next))}
                onMove={(step) => {
                  clearTexts();
                  onChange(moveField(schema, name, step));
                }}
                onRemove={() => {
                  clearTexts();
                  follow("removed");
                  onChange(removeField(schema, name));
                }}
              />
            </li>
          ))}
        </ol>
      )}
      <AddField
        onAdd={() => {
          follow("added");
          onChange(addField(schema));
        }}
      />
    </div>
  );
}
