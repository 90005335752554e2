import { useQuery } from "@tanstack/react-query";
import type { JsonObject, Run } from "@toolhost/contract";
import { itemQuery } from "#api/queries";
import { useAddress } from "#lib/address";
import { isObject, parseJson } from "#lib/json";

type FirstInput = {
  input: JsonObject | undefined;
  /** Why what the address names is not filled in. */
  error: Error | undefined;
  isPending: boolean;
};

/** What the address wants filled in: `input` is JSON, `again` the id of a run whose input it is. */
export function useFirstInput(): FirstInput {
  const [{ input, again }] = useAddress();
  const run = useQuery({
    ...itemQuery<Run>(`/runs/${encodeURIComponent(again ?? "")}`),
    enabled: again !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (again !== undefined) {
    const isPending = run.isPending;
    return { input: run.data?.input, error: run.error ?? undefined, isPending };
  }
  if (input === undefined) return { input: undefined, error: undefined, isPending: false };
  const value = parseJson(input);
  return isObject(value)
    ? { input: value, error: undefined, isPending: false }
    : {
        input: undefined,
        error: new Error("The input in the address is not a JSON object, so it is not filled in."),
        isPending: false,
      };
}
