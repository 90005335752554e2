import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { membersQuery } from "#api/members";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { actionChoices } from "./action-labels.ts";
import type { AuditSearch } from "./search.ts";

const route = getRouteApi("/audit");

/** Narrows the trail; what is chosen stands in the address. */
export function AuditFilters({ me, search }: { me: Me; search: AuditSearch }): ReactNode {
  const navigate = route.useNavigate();
  const { data: members = [] } = useQuery(membersQuery(me.workspace.id));
  const set = (part: AuditSearch) =>
    void navigate({ search: { ...search, ...part }, replace: true });
  const people = members.map(({ userId, name, email }) => ({ id: userId, label: name || email }));
  const { actor } = search;
  const isStranger = actor !== undefined && !people.some(({ id }) => id === actor);
  const isNarrowed = Object.values(search).some((value) => value !== undefined && value !== "");
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label="Who"
        className="w-44"
        choices={[
          { id: "", label: "Anybody" },
          ...people,
          ...(isStranger ? [{ id: actor, label: `…${actor.slice(-6)}` }] : []),
        ]}
        value={actor ?? ""}
        onChange={(id) => set({ actor: id || undefined })}
      />
      <SelectField
        label="What"
        className="w-52"
        choices={[{ id: "", label: "Anything" }, ...actionChoices(search.action)]}
        value={search.action ?? ""}
        onChange={(id) => set({ action: id || undefined })}
      />
      <Target key={search.target} value={search.target ?? ""} onSet={(target) => set({ target })} />
      <Day label="From" value={search.since} onSet={(since) => set({ since })} />
      <Day label="To" value={search.until} onSet={(until) => set({ until })} />
      {isNarrowed ? (
        <Button look="quiet" onPress={() => void navigate({ search: {} })}>
          Show all
        </Button>
      ) : null}
    </div>
  );
}

type Setting = (value: string | undefined) => void;

/** Asked for when it is left or Enter is pressed: each letter would be another question. */
function Target({ value, onSet }: { value: string; onSet: Setting }): ReactNode {
  const [text, setText] = useState(value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSet(text || undefined);
      }}
    >
      <TextField
        label="On what"
        placeholder="Id or name"
        className="w-44"
        value={text}
        onChange={setText}
        onBlur={() => (text === value ? undefined : onSet(text || undefined))}
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
  onSet: Setting;
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
