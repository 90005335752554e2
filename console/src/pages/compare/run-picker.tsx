import type { Run, RunSummary } from "@toolhost/contract";
import { formatTime } from "@toolhost/ui/time";
import type { ReactNode } from "react";
import { useState } from "react";
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from "react-aria-components";
import { StatusBadge } from "#components/badges";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

export type PickedRun = Pick<
  RunSummary | Run,
  "runId" | "status" | "createdAt" | "userId" | "toolName"
> & { title?: string | null };

/** Chooses a run by its title, status, time, user or ID. */
export function RunPicker({
  runs,
  value,
  nameOf,
  onChange,
}: {
  runs: readonly PickedRun[];
  /** Undefined while it loads. */
  value: PickedRun | undefined;
  nameOf: (userId: string) => string;
  onChange: (runId: string) => void;
}): ReactNode {
  // Undefined while the user has not typed, so that the field shows the chosen run.
  const [typed, setTyped] = useState<string>();
  const labelOf = ({ title, toolName, status, createdAt, userId }: PickedRun) =>
    messages.choice([
      title || toolName,
      messages.statuses[status],
      formatTime(createdAt),
      nameOf(userId),
    ]);
  const words = (typed ?? "").toLowerCase().split(/\s+/);
  const found = runs.filter((run) => {
    const text = `${labelOf(run)} ${run.runId}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <ComboBox
      className="ui-field"
      menuTrigger="focus"
      items={found.map((run) => ({ ...run, id: run.runId }))}
      allowsEmptyCollection
      // Text that is not chosen from the list is dropped when the focus leaves the field.
      allowsCustomValue
      inputValue={typed ?? (value === undefined ? "" : labelOf(value))}
      onInputChange={setTyped}
      onSelectionChange={(id) => {
        if (id === null) return;
        onChange(String(id));
        setTyped(undefined);
      }}
      onBlur={() => setTyped(undefined)}
    >
      <Label className="ui-label">{messages.other}</Label>
      <span className="ui-select">
        <Input className="ui-input" onFocus={({ target }) => target.select()} />
      </span>
      <Popover className="ui-float max-h-72 w-(--trigger-width)">
        <ListBox<PickedRun & { id: string }>
          className="outline-none"
          renderEmptyState={() => <p className="p-2 text-sm text-soft">{messages.noMatch}</p>}
        >
          {(run) => (
            <ListBoxItem id={run.id} textValue={labelOf(run)} className="ui-item">
              <StatusBadge status={run.status} />
              <span className="min-w-0 flex-1 truncate">
                <Name>{run.title || run.toolName}</Name>
                <span className="text-soft">
                  {" "}
                  {messages.byAt(nameOf(run.userId), formatTime(run.createdAt))}
                </span>
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
