import type { ReactNode } from "react";
import { Checkbox, TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { useDraft } from "../draft-context.ts";
import { LimitsPanel } from "./limits-panel.tsx";
import { Panel } from "./panel.tsx";
import { textAt } from "./read-definition.ts";

const audiences = [
  { id: "private", label: "Only you" },
  { id: "workspace", label: "Your workspace" },
  { id: "public", label: "Everybody on this server" },
] as const;

/** What the tool is for, who sees it, and how its runs are treated. */
export function DetailsPanel(): ReactNode {
  const { draft, definition, change } = useDraft();
  const visibility = textAt(definition, "visibility");
  return (
    <>
      <Panel
        title="What it is"
        lead="Agents choose a tool by its title and description, so say when to use it and when not."
      >
        <TextField
          label="Title"
          value={textAt(definition, "title")}
          maxLength={80}
          onChange={(title) => change({ title })}
        />
        <TextField
          label="Description"
          hint="What it does, what it needs, what it does not do."
          rows={5}
          maxLength={4_000}
          value={textAt(definition, "description")}
          onChange={(description) => change({ description })}
        />
        <SelectField
          label="Who may see and run it"
          choices={audiences}
          value={
            audiences.find(({ id }) => id === visibility)?.id ??
            (draft.toolName === null ? "workspace" : "private")
          }
          onChange={(id) => change({ visibility: id })}
          className="max-w-xs"
        />
      </Panel>
      <Panel title="How it runs">
        <Checkbox
          isSelected={definition["confirm"] === true}
          onChange={(confirm) => change({ confirm: confirm ? true : undefined })}
          hint="For what cannot be taken back, such as sending or deleting."
        >
          A chat asks the person before it runs
        </Checkbox>
        <Checkbox
          isSelected={definition["idempotent"] === true}
          onChange={(idempotent) => change({ idempotent: idempotent ? true : undefined })}
          hint="Then a run that was broken off by a failure of the server is taken again."
        >
          Running it twice does no more than running it once
        </Checkbox>
        <Checkbox
          isSelected={definition["isolation"] === "fresh"}
          onChange={(isFresh) => change({ isolation: isFresh ? "fresh" : undefined })}
          hint="Slower. For code that keeps something in its module between runs and should not."
        >
          A fresh sandbox for each run
        </Checkbox>
      </Panel>
      <LimitsPanel />
    </>
  );
}
