import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { JsonObject } from "@toolhost/contract";
import { itemQuery } from "#api/queries";
import { isObject, parseJson } from "#lib/json";

const route = getRouteApi("/tools/$name");

type InitialInput = {
  input: JsonObject | undefined;
  /** Which address asks for it; empty when none does. */
  from: string;
  /** Why what the address names is not filled in. */
  error: Error | undefined;
  isPending: boolean;
};

/** What the address wants filled in: `input` is JSON, `again` the id of a run whose input it is. */
export function useInitialInput(): InitialInput {
  const { input, again } = route.useSearch();
  const run = useQuery({
    ...itemQuery("/runs/{runId}", { params: { runId: again ?? "" } }),
    enabled: again !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (again !== undefined) {
    const { data, error, isPending } = run;
    return { input: data?.input, from: `again ${again}`, error: error ?? undefined, isPending };
  }
  const rest = { error: undefined, isPending: false };
  if (input === undefined) return { input: undefined, from: "", ...rest };
  const from = `input ${input}`;
  const value = parseJson(input);
  if (isObject(value)) return { input: value, from, ...rest };
  const words = "The input in the address is not a JSON object, so it is not filled in.";
  return { ...rest, input: undefined, from, error: new Error(words) };
}
