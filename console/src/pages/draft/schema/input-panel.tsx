import type { ReactNode } from "react";
import { Checkbox } from "#components/fields";
import { Panel } from "../definition/panel.tsx";
import { objectAt, textsAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { FieldList } from "./field-list.tsx";
import { fieldsOf } from "./fields.ts";
import { SchemaFrame } from "./schema-frame.tsx";

/** What the tool takes. */
export function InputPanel(): ReactNode {
  const { definition, change } = useDraft();
  const schema = objectAt(definition, "inputSchema");
  const fileFields = textsAt(definition, "fileFields");
  const texts = fieldsOf(schema).filter(
    (field) => field.schema["type"] === "string" || field.schema["type"] === "array",
  );
  return (
    <>
      <SchemaFrame
        title="Input"
        lead="What the tool is given. The form and the types of the code follow it."
        place="inputSchema"
        value={schema}
        onChange={(inputSchema) => change({ inputSchema })}
      >
        <FieldList
          schema={schema}
          place="inputSchema"
          onChange={(inputSchema) => change({ inputSchema })}
        />
      </SchemaFrame>
      {texts.length === 0 ? null : (
        <Panel
          title="Files"
          lead="A file field holds the id of a file; whoever runs the tool chooses a file instead. The code opens it with ctx.files.open."
        >
          <div className="grid gap-1">
            {texts.map(({ name }) => (
              <Checkbox
                key={name}
                isSelected={fileFields.includes(name)}
                onChange={(isFile) => {
                  const others = fileFields.filter((one) => one !== name);
                  const next = isFile ? [...others, name] : others;
                  change({ fileFields: next.length === 0 ? undefined : next });
                }}
              >
                <code className="font-mono">{name}</code> takes a file
              </Checkbox>
            ))}
          </div>
        </Panel>
      )}
    </>
  );
}
