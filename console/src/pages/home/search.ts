import { oneOf, searchParams, text } from "#lib/search-params";

const shownLists = ["favorites", "recent", "mine", "shared", "installed", "archived"] as const;
const listSorts = ["name", "updated", "last-run", "success", "runs"] as const;
const listStates = ["failing", "unused", "update"] as const;
const visibilities = ["private", "workspace", "public"] as const;

export const validateHomeSearch = searchParams({
  q: text,
  show: oneOf(shownLists),
  tag: text,
  owner: text,
  visibility: oneOf(visibilities),
  state: oneOf(listStates),
  sort: oneOf(listSorts),
});
export type HomeSearch = ReturnType<typeof validateHomeSearch>;

/** The filters of a list of tools, which a view stores. */
export type ListFilters = Pick<
  HomeSearch,
  "show" | "tag" | "owner" | "visibility" | "state" | "sort"
>;

const filterNames = ["show", "tag", "owner", "visibility", "state", "sort"] as const;

/** The filters that are set, as a view stores them. */
export function filtersOf(search: HomeSearch): Record<string, string> {
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = search[name];
      return value === undefined || value === "" ? [] : [[name, value] as const];
    }),
  );
}

/** The query of the list, from the address. */
export function queryOf({ show, ...filters }: ListFilters) {
  const { tag, owner, visibility, state, sort } = filters;
  const origin = show === "archived" ? undefined : show;
  return {
    ...(origin === undefined ? {} : { origin }),
    ...(tag ? { tag } : {}),
    ...(owner ? { owner } : {}),
    ...(visibility === undefined ? {} : { visibility }),
    ...(state === undefined ? {} : { state }),
    ...(sort === undefined ? {} : { sort }),
  };
}
