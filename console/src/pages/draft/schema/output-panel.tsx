import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { objectAt, textAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { useRowFocus } from "../use-row-focus.ts";
import { AddField } from "./add-field.tsx";
import { FieldFrame } from "./field-frame.tsx";
import type { FieldPosition } from "./field-frame.tsx";
import { setKeyword } from "./fields.ts";
import { addProperty, moveProperty, propertiesOf, withProperties } from "./output-fields.ts";
import { SchemaFrame } from "./schema-frame.tsx";

const types = [
  { id: "string", label: "Text" },
  { id: "number", label: "Number" },
  { id: "integer", label: "Whole number" },
  { id: "boolean", label: "Yes or no" },
  { id: "object", label: "Object" },
  { id: "array", label: "List" },
  { id: "null", label: "Nothing" },
  { id: "any", label: "Anything" },
] as const;

/** What the tool gives. */
export function OutputPanel(): ReactNode {
  const { definition, change } = useDraft();
  const schema = objectAt(definition, "outputSchema");
  const onChange = (outputSchema: JsonObject) => change({ outputSchema });
  const properties = propertiesOf(schema);
  const { rowsRef, follow } = useRowFocus<HTMLDivElement>();
  const set = (at: number, property: JsonObject) =>
    onChange(
      withProperties(
        schema,
        properties.map((one, index) => (index === at ? property : one)),
      ),
    );
  return (
    <SchemaFrame
      title="Output"
      lead="What the tool answers. Results are checked against it and shown in this order."
      place="outputSchema"
      value={schema}
      onChange={onChange}
    >
      <div ref={rowsRef} data-rows className="grid gap-3">
        <ol className="grid gap-3">
          {properties.map((property, at) => (
            // A property keeps its place while its name is typed.
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
                  follow("removed");
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
            follow("added");
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
  ...place
}: FieldPosition & {
  property: JsonObject;
  names: readonly string[];
  onChange: (property: JsonObject) => void;
}): ReactNode {
  return (
    <FieldFrame
      {...place}
      name={textAt(property, "name")}
      isNameTaken={(other) => names.includes(other)}
      onRename={(name) => onChange({ ...property, name })}
      kinds={types}
      kind={types.find(({ id }) => id === property["type"])?.id ?? "any"}
      onKind={(type) => onChange({ ...property, type })}
      mark="Always there"
      isMarked={property["optional"] !== true}
      onMark={(isAlways) => onChange(setKeyword(property, "optional", isAlways ? undefined : true))}
      description={textAt(property, "description")}
      onDescribe={(description) => onChange({ ...property, description })}
    />
  );
}
