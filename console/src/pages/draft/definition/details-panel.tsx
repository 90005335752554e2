import type { ReactNode } from "react";
import { Checkbox, TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { useDraft } from "../draft-context.ts";
import { LimitsPanel } from "./limits-panel.tsx";
import { messages } from "./messages.ts";
import { Panel } from "./panel.tsx";
import { textAt } from "./read-definition.ts";

const { about, behavior } = messages;

const visibilities = [
  { id: "private", label: about.visibilities.private },
  { id: "workspace", label: about.visibilities.workspace },
  { id: "public", label: about.visibilities.public },
] as const;

/** What the tool is for, who can use it, and how it runs. */
export function DetailsPanel(): ReactNode {
  const { draft, definition, change } = useDraft();
  const visibility = textAt(definition, "visibility");
  return (
    <>
      <Panel title={about.title} lead={about.lead}>
        <TextField
          label={about.toolTitle}
          value={textAt(definition, "title")}
          maxLength={80}
          onChange={(title) => change({ title })}
        />
        <TextField
          label={about.description}
          hint={about.descriptionHint}
          rows={5}
          maxLength={4_000}
          value={textAt(definition, "description")}
          onChange={(description) => change({ description })}
        />
        <SelectField
          label={about.visibility}
          choices={visibilities}
          value={
            visibilities.find(({ id }) => id === visibility)?.id ??
            (draft.toolName === null ? "workspace" : "private")
          }
          onChange={(id) => change({ visibility: id })}
          className="max-w-xs"
        />
      </Panel>
      <Panel title={behavior.title}>
        <Checkbox
          isSelected={definition["confirm"] === true}
          onChange={(confirm) => change({ confirm: confirm ? true : undefined })}
          hint={behavior.confirmHint}
        >
          {behavior.confirm}
        </Checkbox>
        <Checkbox
          isSelected={definition["idempotent"] === true}
          onChange={(idempotent) => change({ idempotent: idempotent ? true : undefined })}
          hint={behavior.idempotentHint}
        >
          {behavior.idempotent}
        </Checkbox>
        <Checkbox
          isSelected={definition["isolation"] === "fresh"}
          onChange={(isFresh) => change({ isolation: isFresh ? "fresh" : undefined })}
          hint={behavior.freshHint}
        >
          {behavior.fresh}
        </Checkbox>
      </Panel>
      <LimitsPanel />
    </>
  );
}
