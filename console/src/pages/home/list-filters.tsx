import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ListFilter, X } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { memberName, membersQuery } from "#api/members";
import { itemQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { SavedViews } from "#components/saved-views";
import { SelectField } from "#components/select-field";
import { classes } from "#lib/class-names";
import { messages as allMessages } from "./messages.ts";
import { filtersOf } from "./search.ts";
import type { HomeSearch } from "./search.ts";

const messages = allMessages.filters;
const route = getRouteApi("/");
const any = "any";

/** Sorts and filters the list of tools, and saves combinations as views. */
export function ListFilters(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  const { data } = useQuery(itemQuery("/tags"));
  const tags = data?.tags ?? [];
  // A phone shows the filters on demand, so that the first tool is in sight.
  const [isOpen, setOpen] = useState(false);
  const collapsed = isOpen ? "" : "max-sm:hidden";
  const people = Object.fromEntries(
    (members ?? []).map(({ userId }) => [userId, memberName(members, me, userId)]),
  );
  const select = (
    name: keyof HomeSearch,
    label: string,
    all: string,
    choices: Readonly<Record<string, string>>,
    isAlways = false,
  ) => {
    const value = search[name] ?? any;
    const known = Object.entries(choices).map(([id, text]) => ({ id, label: text }));
    const other =
      value === any || Object.hasOwn(choices, value) ? [] : [{ id: value, label: value }];
    return (
      <SelectField
        label={label}
        isLabelHidden
        className={classes("min-w-0 grow basis-32 lg:w-36 lg:grow-0", !isAlways && collapsed)}
        value={value}
        choices={[{ id: any, label: all }, ...known, ...other]}
        onChange={(id) =>
          void navigate({
            search: (before) => ({ ...before, [name]: id === any ? undefined : id }),
            replace: true,
          })
        }
      />
    );
  };
  const names = Object.keys(filtersOf(search)).filter((name) => name !== "show");
  const isFiltered = names.length > 0;
  const filterCount = names.filter((name) => name !== "sort").length;
  return (
    <div
      role="search"
      aria-label={messages.label}
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2"
    >
      {select("sort", messages.sort, messages.newest, messages.sorts, true)}
      <Button className="sm:hidden" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <ListFilter size={15} aria-hidden />
        {messages.filter(filterCount)}
      </Button>
      {tags.length === 0
        ? null
        : select(
            "tag",
            messages.tag,
            messages.anyTag,
            Object.fromEntries(withParents(tags).map((tag) => [tag, tag])),
          )}
      {select("owner", messages.owner, messages.anyOwner, people)}
      {select("visibility", messages.visibility, messages.anyVisibility, messages.visibilities)}
      {select("state", messages.state, messages.anyState, messages.states)}
      {isFiltered ? (
        <Button
          look="quiet"
          onPress={() =>
            void navigate({ search: { q: search.q, show: search.show }, replace: true })
          }
        >
          <X size={15} aria-hidden />
          {messages.clear}
        </Button>
      ) : null}
      <SavedViews
        filters={filtersOf(search)}
        onOpen={(view) => void navigate({ search: view as HomeSearch })}
      />
    </div>
  );
}

/** A tag with slashes is in all the levels above it, as in a folder. */
function withParents(tags: readonly string[]): string[] {
  const all = tags.flatMap((tag) => {
    const levels = tag.split("/");
    return levels.map((_, at) => levels.slice(0, at + 1).join("/"));
  });
  return [...new Set(all)].toSorted();
}
