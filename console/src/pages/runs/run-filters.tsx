import type { Member, RunStatus, Via } from "@toolhost/contract";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/button";
import { SelectField } from "#components/select-field";
import type { Choice } from "#components/select-field";
import { SearchField } from "#components/search-field";
import { periods } from "./filters.ts";
import type { RunsSearch } from "./search.ts";

const statuses: Record<RunStatus, string> = {
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
};
const vias: Record<Via, string> = {
  console: "Console",
  rest: "REST",
  mcp: "MCP",
  bot: "Chat",
  schedule: "Schedule",
};
const drafts = { false: "Without drafts", true: "Only drafts" };
const any = "any";

/** What narrows the list of runs; all of it stands in the address. */
export function RunFilters({
  search,
  members,
  onChange,
}: {
  search: RunsSearch;
  members: readonly Member[];
  onChange: (change: RunsSearch) => void;
}): ReactNode {
  const { toolName, parentRunId } = search;
  const people = Object.fromEntries(
    members.map(({ userId, name, email }) => [userId, name || email]),
  );
  const select = (
    name: keyof RunsSearch,
    label: string,
    all: string,
    choices: Record<string, string>,
  ) => (
    <SelectField
      label={label}
      isLabelHidden
      className="min-w-0 sm:min-w-36"
      value={search[name] ?? any}
      choices={[{ id: any, label: all }, ...toChoices(choices, search[name])]}
      onChange={(id) => onChange({ [name]: id === any ? undefined : id })}
    />
  );
  return (
    <div role="search" aria-label="Filter runs" className="grid grid-cols-1 gap-2">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <SearchField
          label="Search runs"
          placeholder="Tool name or run id"
          value={search.q ?? ""}
          onChange={(q) => onChange({ q })}
          hasShortcut
          className="col-span-2 flex-1 basis-64"
        />
        {select("status", "Status", "Any status", statuses)}
        {select("via", "Door", "By any way", vias)}
        {select("userId", "Whose", "Anybody's", { me: "Yours", ...people })}
        {select("draft", "Drafts", "With drafts", drafts)}
        {select(
          "since",
          "Since",
          "Any time",
          Object.fromEntries(Object.entries(periods).map(([id, { label }]) => [id, label])),
        )}
      </div>
      {toolName === undefined && parentRunId === undefined ? null : (
        <div className="flex flex-wrap gap-2">
          {toolName === undefined ? null : (
            <Button
              className="max-w-full"
              aria-label={`Tool ${toolName}: show the runs of all tools`}
              onPress={() => onChange({ toolName: undefined })}
            >
              Tool <code className="min-w-0 truncate font-mono">{toolName}</code>
              <X size={15} aria-hidden className="shrink-0" />
            </Button>
          )}
          {parentRunId === undefined ? null : (
            <Button onPress={() => onChange({ parentRunId: undefined })}>
              Asked for by run …{parentRunId.slice(-8)}
              <X size={15} aria-hidden />
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** What can be chosen, and what the address says though it is none of that. */
function toChoices(choices: Record<string, string>, given: string | undefined): Choice<string>[] {
  const all = Object.entries(choices).map(([id, label]) => ({ id, label }));
  if (given === undefined || Object.hasOwn(choices, given)) return all;
  return [...all, { id: given, label: given }];
}
