import type { Member, RunStatus, Via } from "@toolhost/contract";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { lazy, useState } from "react";
import { Button } from "#components/button";
import { FilterBar, FilterSelect } from "#components/filter-bar";
import { LazyPart } from "#components/lazy-part";
import { loadChunk } from "#lib/load-chunk";
import { messages as allMessages } from "./messages.ts";
import type { RunsSearch } from "./search.ts";

const messages = allMessages.filters;

const statuses: Record<RunStatus, string> = messages.statuses;
// The service starts no runs on a schedule.
const sources: Record<Exclude<Via, "schedule">, string> = messages.sources;
const onDemand = ["draft", "credential", "host", "apiKeyId", "appId"] as const;

// Shown on demand.
const MoreFilters = lazy(async () => loadChunk(() => import("./more-filters.tsx")));

/** The filters of the list of runs, which are stored in the URL. */
export function RunFilters({
  search,
  others,
  onChange,
  onReplace,
}: {
  search: RunsSearch;
  /** The members other than the user. */
  others: readonly Member[];
  onChange: (change: RunsSearch) => void;
  onReplace: (filters: Record<string, string>) => void;
}): ReactNode {
  const isMoreSet = onDemand.some((name) => search[name] !== undefined);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const people = Object.fromEntries(
    others.map(({ userId, name, email }) => [userId, name || email]),
  );
  const select = (
    name: keyof RunsSearch,
    label: string,
    all: string,
    choices: Readonly<Record<string, string>>,
  ) => (
    <FilterSelect
      label={label}
      all={all}
      choices={Object.entries(choices).map(([id, text]) => ({ id, label: text }))}
      value={search[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <FilterBar
      page="runs"
      label={messages.label}
      searchLabel={messages.search}
      searchPlaceholder={messages.searchPlaceholder}
      search={search}
      onChange={(q) => onChange({ q })}
      onReplace={onReplace}
    >
      {select("status", messages.status, messages.anyStatus, statuses)}
      {select("via", messages.source, messages.anySource, sources)}
      {select("userId", messages.person, messages.anyPerson, { me: messages.you, ...people })}
      {select("since", messages.since, messages.anyTime, messages.periods)}
      {isMoreSet || isMoreOpen ? (
        <LazyPart lines={0}>
          <MoreFilters search={search} onChange={onChange} />
        </LazyPart>
      ) : (
        <Button look="quiet" onPress={() => setMoreOpen(true)}>
          {messages.more}
        </Button>
      )}
      <Chosen search={search} onChange={onChange} />
    </FilterBar>
  );
}

/** The filters that other pages link to. */
function Chosen({
  search: { toolName, parentRunId },
  onChange,
}: {
  search: RunsSearch;
  onChange: (change: RunsSearch) => void;
}): ReactNode {
  return (
    <>
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
    </>
  );
}
