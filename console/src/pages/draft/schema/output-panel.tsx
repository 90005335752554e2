import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { objectAt, textAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { useRowFocus } from "../use-row-focus.ts";
import { AddField } from "./add-field.tsx";
import { FieldFrame } from "./field-frame.tsx";
import type { FieldPosition } from "./field-frame.tsx";
import { setKeyword } from "./fields.ts";
import { messages } from "./messages.ts";
import { addProperty, moveProperty, propertiesOf, withProperties } from "./output-fields.ts";
import { SchemaFrame } from "./schema-frame.tsx";

const types = (
  ["string", "number", "integer", "boolean", "object", "array", "null", "any"] as const
).map((id) => ({ id, label: messages.types[id] }));

/** The output schema of the tool. */
export function OutputPanel(): ReactNode {
  const { definition, change } = useDraft();
  const schema = objectAt(definition, "outputSchema");
  const onChange = (outputSchema: JsonObject) => change({ outputSchema });
  const properties = propertiesOf(schema);
  const { rowsRef, focusAfter } = useRowFocus<HTMLDivElement>();
  const set = (at: number, property: JsonObject) =>
    onChange(
      withProperties(
        schema,
        properties.map((one, index) => (index === at ? property : one)),
      ),
    );
  return (
    <SchemaFrame labels={messages.output} path="outputSchema" value={schema} onChange={onChange}>
      <div ref={rowsRef} data-rows className="grid gap-3">
        <ol className="grid gap-3">
          {properties.map((property, at) => (
            // The index is the key, because the name changes while it is typed.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${properties.length}-${at}`} className="min-w-0">
              <PropertyRow
                property={property}
                names={properties.map((one) => textAt(one, "name"))}
                isFirst={at === 0}
                isLast={at === properties.length - 1}
                onChange={(next) => set(at, next)}
                onMove={(step) => onChange(moveProperty(schema, at, step))}
                onRemove={() => {
                  focusAfter("removed");
                  onChange(
                    withProperties(
                      schema,
                      properties.filter((_, index) => index !== at),
                    ),
                  );
                }}
              />
            </li>
          ))}
        </ol>
        <AddField
          onAdd={() => {
            focusAfter("added");
            onChange(addProperty(schema));
          }}
        />
      </div>
    </SchemaFrame>
  );
}

function PropertyRow({
  property,
  names,
  onChange,
  ...position
}: FieldPosition & {
  property: JsonObject;
  names: readonly string[];
  onChange: (property: JsonObject) => void;
}): ReactNode {
  return (
    <FieldFrame
      {...position}
      name={textAt(property, "name")}
      isNameTaken={(other) => names.includes(other)}
      onRename={(name) => onChange({ ...property, name })}
      kinds={types}
      kind={types.find(({ id }) => id === property["type"])?.id ?? "any"}
      onKind={(type) => onChange({ ...property, type })}
      checkboxLabel={messages.output.alwaysPresent}
      isChecked={property["optional"] !== true}
      onCheck={(isAlways) =>
        onChange(setKeyword(property, "optional", isAlways ? undefined : true))
      }
      description={textAt(property, "description")}
      onDescribe={(description) => onChange({ ...property, description })}
    />
  );
}
