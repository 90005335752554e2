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
import { messages } from "./messages.ts";

/** The fields of an object schema, in order. */
export function FieldList({ schema, path, onChange }: FieldsProps): ReactNode {
  const fields = fieldsOf(schema);
  const { store } = useDraft();
  const { rowsRef, focusAfter } = useRowFocus<HTMLDivElement>();
  /** Invalid JSON is stored by index, and the indexes change. */
  const clearTexts = () => {
    for (const stored of Object.keys(store.getState().texts))
      if (stored.startsWith(`${path}/`)) store.setText(stored, undefined);
  };
  return (
    <div ref={rowsRef} data-rows className="grid gap-3">
      {fields.length === 0 ? (
        <p className="text-sm text-soft">{messages.fields.empty}</p>
      ) : (
        <ol className="grid gap-3">
          {fields.map(({ name, isRequired, schema: field }, at) => (
            // The index is the key, because the name changes while it is typed.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${fields.length}-${at}`} className="min-w-0">
              <FieldRow
                Fields={FieldList}
                name={name}
                isRequired={isRequired}
                schema={field}
                path={`${path}/${at}`}
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
                  focusAfter("removed");
                  onChange(removeField(schema, name));
                }}
              />
            </li>
          ))}
        </ol>
      )}
      <AddField
        onAdd={() => {
          focusAfter("added");
          onChange(addField(schema));
        }}
      />
    </div>
  );
}
