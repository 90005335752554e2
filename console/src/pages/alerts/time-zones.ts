import type { Choice } from "#components/select-field";

/** The time zones that the browser knows, by region, and the chosen one, which another browser may have named differently. */
export function timeZoneChoices(chosen: string): Choice<string>[] {
  const known = new Set(["UTC", chosen, ...Intl.supportedValuesOf("timeZone")]);
  return [...known]
    .map((id) => ({ id, ...regionOf(id) }))
    .toSorted(
      (one, other) => compare(one.group ?? "", other.group ?? "") || compare(one.id, other.id),
    );
}

function regionOf(id: string): Omit<Choice<string>, "id"> {
  const slash = id.indexOf("/");
  const label = id.slice(slash + 1).replaceAll("_", " ");
  return slash === -1 ? { label } : { label, group: id.slice(0, slash) };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
