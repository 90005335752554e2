import { useQuery } from "@tanstack/react-query";
import { mayDo } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { useState } from "react";
import { allItemsQuery, meQuery } from "#api/queries";
import { FilterSelect } from "#components/filter-bar";
import { messages as allMessages } from "./messages.ts";
import type { RunsSearch } from "./search.ts";

const messages = allMessages.filters;

type Props = { search: RunsSearch; onChange: (change: RunsSearch) => void };

/** Filters runs of drafts, and by what runs used: a credential, a host, an API key or a connected app. */
export default function MoreFilters({ search, onChange }: Props): ReactNode {
  const { data: me } = useQuery(meQuery);
  const role = me?.workspace.role ?? "";
  const ownerOf = (right: "keys:oversee" | "apps:oversee") =>
    mayDo(role, right) ? "anyone" : "me";
  const { data: credentials = [] } = useQuery({
    ...allItemsQuery("/credentials"),
    enabled: me?.scopes.includes("credentials:write") === true,
  });
  const { data: keys = [] } = useQuery({
    ...allItemsQuery("/api-keys", { query: { owner: ownerOf("keys:oversee") } }),
    enabled: me !== undefined,
  });
  const { data: apps = [] } = useQuery({
    ...allItemsQuery("/connected-apps", { query: { owner: ownerOf("apps:oversee") } }),
    enabled: me !== undefined,
  });
  const names = [...new Set(credentials.map(({ name }) => name))].toSorted();
  return (
    <>
      <FilterSelect
        label={messages.drafts}
        all={messages.allDrafts}
        choices={Object.entries(messages.draftChoices).map(([id, label]) => ({ id, label }))}
        value={search.draft}
        onChange={(draft) => onChange({ draft })}
      />
      <FilterSelect
        label={messages.credential}
        all={messages.anyCredential}
        choices={names.map((name) => ({ id: name, label: name }))}
        value={search.credential}
        onChange={(credential) => onChange({ credential })}
      />
      <FilterSelect
        label={messages.apiKey}
        all={messages.anyApiKey}
        choices={keys.map(({ id, name }) => ({ id, label: name }))}
        value={search.apiKeyId}
        onChange={(apiKeyId) => onChange({ apiKeyId })}
      />
      <FilterSelect
        label={messages.app}
        all={messages.anyApp}
        choices={apps.map(({ id, clientName }) => ({ id, label: clientName }))}
        value={search.appId}
        onChange={(appId) => onChange({ appId })}
      />
      <Host key={search.host} value={search.host ?? ""} onSet={(host) => onChange({ host })} />
    </>
  );
}

/** Applies on blur or Enter, to avoid a request per keystroke. */
function Host({
  value,
  onSet,
}: {
  value: string;
  onSet: (host: string | undefined) => void;
}): ReactNode {
  const [typed, setTyped] = useState(value);
  const apply = () => (typed.trim() === value ? undefined : onSet(typed.trim() || undefined));
  return (
    <form
      className="min-w-0 sm:w-44"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <input
        type="text"
        aria-label={messages.host}
        placeholder={messages.hostPlaceholder}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        className="ui-input"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={apply}
      />
    </form>
  );
}
