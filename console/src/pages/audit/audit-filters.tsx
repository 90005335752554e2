import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { membersQuery } from "#api/members";
import { FilterBar, FilterSelect } from "#components/filter-bar";
import { actionChoices } from "./labels.ts";
import type { AuditSearch } from "./search.ts";
import { messages } from "./messages.ts";

const route = getRouteApi("/audit");

const text = messages.filters;

/** The filters of the audit log. Their values are in the URL. */
export function AuditFilters({ me, search }: { me: Me; search: AuditSearch }): ReactNode {
  const navigate = route.useNavigate();
  const { data: members = [] } = useQuery(membersQuery(me.workspace.id));
  const set = (part: AuditSearch) =>
    void navigate({ search: { ...search, ...part }, replace: true });
  const people = members.map(({ userId, name, email }) => ({ id: userId, label: name || email }));
  const { actor } = search;
  if (actor !== undefined && !people.some(({ id }) => id === actor))
    people.push({ id: actor, label: messages.shortId(actor) });
  return (
    <FilterBar
      page="audit"
      label={text.label}
      searchLabel={text.search}
      searchPlaceholder={text.searchPlaceholder}
      search={search}
      onChange={(q) => set({ q: q || undefined })}
      onReplace={(all) => void navigate({ search: all as AuditSearch, replace: true })}
    >
      <FilterSelect
        label={text.actor}
        all={text.anyActor}
        choices={people}
        value={actor}
        onChange={(value) => set({ actor: value })}
      />
      <FilterSelect
        label={text.action}
        all={text.anyAction}
        choices={actionChoices(search.action)}
        value={search.action}
        onChange={(action) => set({ action })}
      />
      <Target key={search.target} value={search.target ?? ""} onSet={(target) => set({ target })} />
      <Day label={text.since} value={search.since} onSet={(since) => set({ since })} />
      <Day label={text.until} value={search.until} onSet={(until) => set({ until })} />
    </FilterBar>
  );
}

type SetValue = (value: string | undefined) => void;

/** Applies on blur or Enter, to avoid a request per keystroke. */
function Target({ value, onSet }: { value: string; onSet: SetValue }): ReactNode {
  const [typed, setTyped] = useState(value);
  return (
    <form
      className="min-w-0 sm:w-40"
      onSubmit={(event) => {
        event.preventDefault();
        onSet(typed || undefined);
      }}
    >
      <input
        type="text"
        aria-label={text.target}
        placeholder={text.targetPlaceholder}
        value={typed}
        className="ui-input"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => (typed === value ? undefined : onSet(typed || undefined))}
      />
    </form>
  );
}

function Day({
  label,
  value,
  onSet,
}: {
  label: string;
  value: string | undefined;
  onSet: SetValue;
}): ReactNode {
  return (
    <label className="flex min-w-0 items-center gap-1.5 text-sm text-soft">
      {label}
      <input
        type="date"
        className="ui-input min-w-0! flex-1"
        value={value ?? ""}
        onChange={(event) => onSet(event.target.value || undefined)}
      />
    </label>
  );
}
