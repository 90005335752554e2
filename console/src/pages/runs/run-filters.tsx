import type { Member, RunStatus, Via } from "@toolhost/contract";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/button";
import { SelectField } from "#components/select-field";
import type { Choice } from "#components/select-field";
import { SearchField } from "#components/search-field";
import { messages as allMessages } from "./messages.ts";
import type { RunsSearch } from "./search.ts";

const messages = allMessages.filters;

const statuses: Record<RunStatus, string> = messages.statuses;
// The service starts no runs on a schedule.
const sources: Record<Exclude<Via, "schedule">, string> = messages.sources;
/** Filters that other pages link to. */
const uses = ["credential", "host", "apiKeyId", "appId"] as const;
const any = "any";

/** The filters of the list of runs, which are stored in the URL. */
export function RunFilters({
  search,
  others,
  onChange,
}: {
  search: RunsSearch;
  /** The members other than the user. */
  others: readonly Member[];
  onChange: (change: RunsSearch) => void;
}): ReactNode {
  const { toolName, parentRunId } = search;
  const used = uses.filter((name) => search[name] !== undefined);
  const people = Object.fromEntries(
    others.map(({ userId, name, email }) => [userId, name || email]),
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
    <div role="search" aria-label={messages.label} className="grid grid-cols-1 gap-2">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <SearchField
          label={messages.search}
          placeholder={messages.searchPlaceholder}
          value={search.q ?? ""}
          onChange={(q) => onChange({ q })}
          hasShortcut
          className="col-span-2 flex-1 basis-64"
        />
        {select("status", messages.status, messages.anyStatus, statuses)}
        {select("via", messages.source, messages.anySource, sources)}
        {select("userId", messages.person, messages.anyPerson, { me: messages.you, ...people })}
        {select("draft", messages.drafts, messages.allDrafts, messages.draftChoices)}
        {select("since", messages.since, messages.anyTime, messages.periods)}
      </div>
      {toolName === undefined && parentRunId === undefined && used.length === 0 ? null : (
        <div className="flex flex-wrap gap-2">
          {used.map((name) => (
            <Button
              key={name}
              className="max-w-full"
              onPress={() => onChange({ [name]: undefined })}
            >
              <span className="min-w-0 truncate">{messages.used[name](search[name] ?? "")}</span>
              <X size={15} aria-hidden className="shrink-0" />
            </Button>
          ))}
          {toolName === undefined ? null : (
            <Button
              className="max-w-full"
              aria-label={messages.removeTool(toolName)}
              onPress={() => onChange({ toolName: undefined })}
            >
              {messages.tool} <code className="min-w-0 truncate font-mono">{toolName}</code>
              <X size={15} aria-hidden className="shrink-0" />
            </Button>
          )}
          {parentRunId === undefined ? null : (
            <Button onPress={() => onChange({ parentRunId: undefined })}>
              {messages.parent(parentRunId.slice(-8))}
              <X size={15} aria-hidden />
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** The choices, and the value in the URL if it is none of them. */
function toChoices(choices: Record<string, string>, given: string | undefined): Choice<string>[] {
  const all = Object.entries(choices).map(([id, label]) => ({ id, label }));
  if (given === undefined || Object.hasOwn(choices, given)) return all;
  return [...all, { id: given, label: given }];
}
