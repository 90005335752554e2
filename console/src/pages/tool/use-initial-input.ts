import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { JsonObject } from "@toolhost/contract";
import { itemQuery } from "#api/queries";
import { isObject, parseJson } from "#lib/json";
import { messages } from "./messages.ts";

const route = getRouteApi("/tools/$name");

type InitialInput = {
  input: JsonObject | undefined;
  /** The URL parameter that it comes from; empty when there is none. */
  from: string;
  /** Why the input could not be loaded. */
  error: Error | undefined;
  isPending: boolean;
};

/** Reads the initial input from the URL: `input` is JSON, `again` is the ID of a run to repeat. */
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
  return { ...rest, input: undefined, from, error: new Error(messages.run.invalidInput) };
}
