import { inputsWithoutDescription } from "@toolhost/tool-schema";
import type { ReactNode } from "react";
import { Checkbox } from "#components/fields";
import { Panel } from "../definition/panel.tsx";
import { objectAt, textsAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { FieldList } from "./field-list.tsx";
import { fieldsOf } from "./fields.ts";
import { messages as allMessages } from "./messages.ts";
import { SchemaFrame } from "./schema-frame.tsx";

const messages = allMessages.input;

/** The input schema of the tool. */
export function InputPanel(): ReactNode {
  const { definition, change } = useDraft();
  const schema = objectAt(definition, "inputSchema");
  const fileFields = textsAt(definition, "fileFields");
  const candidates = fieldsOf(schema).filter(
    (field) => field.schema["type"] === "string" || field.schema["type"] === "array",
  );
  const withoutDescription = inputsWithoutDescription(schema);
  return (
    <>
      <SchemaFrame
        labels={messages}
        path="inputSchema"
        value={schema}
        onChange={(inputSchema) => change({ inputSchema })}
      >
        <FieldList
          schema={schema}
          path="inputSchema"
          onChange={(inputSchema) => change({ inputSchema })}
        />
        {withoutDescription.length === 0 ? null : (
          <p role="status" className="text-sm text-warn">
            {messages.withoutDescription(withoutDescription)}
          </p>
        )}
      </SchemaFrame>
      {candidates.length === 0 ? null : (
        <Panel title={messages.filesTitle} lead={messages.filesLead}>
          <div className="grid gap-1">
            {candidates.map(({ name }) => (
              <Checkbox
                key={name}
                isSelected={fileFields.includes(name)}
                onChange={(isFile) => {
                  const others = fileFields.filter((one) => one !== name);
                  const next = isFile ? [...others, name] : others;
                  change({ fileFields: next.length === 0 ? undefined : next });
                }}
              >
                <code className="font-mono">{name}</code> {messages.takesFile}
              </Checkbox>
            ))}
          </div>
        </Panel>
      )}
    </>
  );
}
