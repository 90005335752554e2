import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { membersQuery } from "#api/members";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { SearchField } from "#components/search-field";
import { SelectField } from "#components/select-field";
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
  const isUnknownActor = actor !== undefined && !people.some(({ id }) => id === actor);
  const isFiltered = Object.values(search).some((value) => value !== undefined && value !== "");
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SearchField
        label={text.search}
        placeholder={text.searchPlaceholder}
        value={search.q ?? ""}
        onChange={(q) => set({ q: q || undefined })}
        className="w-full"
      />
      <SelectField
        label={text.actor}
        className="w-44"
        choices={[
          { id: "", label: text.anyActor },
          ...people,
          ...(isUnknownActor ? [{ id: actor, label: messages.shortId(actor) }] : []),
        ]}
        value={actor ?? ""}
        onChange={(id) => set({ actor: id || undefined })}
      />
      <SelectField
        label={text.action}
        className="w-52"
        choices={[{ id: "", label: text.anyAction }, ...actionChoices(search.action)]}
        value={search.action ?? ""}
        onChange={(id) => set({ action: id || undefined })}
      />
      <Target key={search.target} value={search.target ?? ""} onSet={(target) => set({ target })} />
      <Day label={text.since} value={search.since} onSet={(since) => set({ since })} />
      <Day label={text.until} value={search.until} onSet={(until) => set({ until })} />
      {isFiltered ? (
        <Button look="quiet" onPress={() => void navigate({ search: {} })}>
          {text.clear}
        </Button>
      ) : null}
    </div>
  );
}

type SetValue = (value: string | undefined) => void;

/** Applies on blur or Enter, to avoid a request per keystroke. */
function Target({ value, onSet }: { value: string; onSet: SetValue }): ReactNode {
  const [typed, setTyped] = useState(value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSet(typed || undefined);
      }}
    >
      <TextField
        label={text.target}
        placeholder={text.targetPlaceholder}
        className="w-44"
        value={typed}
        onChange={setTyped}
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
    <TextField
      label={label}
      type="date"
      className="w-44"
      value={value ?? ""}
      onChange={(day) => onSet(day || undefined)}
    />
  );
}
