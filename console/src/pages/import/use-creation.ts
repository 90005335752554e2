import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ImportedTool, ImportItem } from "@toolhost/contract";
import type { ApiRequest } from "@toolhost/contract/api";
import { useState } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";

type Body = ApiRequest<"POST /imports/{id}/tools">["body"];

/** The service creates no more with one request. */
const maxPerRequest = 50;

export function inBatches(items: readonly ImportItem[]): (readonly ImportItem[])[] {
  const count = Math.ceil(items.length / maxPerRequest);
  return Array.from({ length: count }, (_, at) =>
    items.slice(at * maxPerRequest, (at + 1) * maxPerRequest),
  );
}

/**
 * Creates the tools with the given requests, one after another. An error of a later request ends with a result that says which
 * items were not created; one of the first is the mutation's.
 */
export function useCreation(
  id: string,
  requests: readonly Body[],
  onCreated: (keys: ReadonlySet<string>) => void,
) {
  const client = useQueryClient();
  const [done, setDone] = useState(0);
  const mutation = useMutation({
    mutationFn: async () => {
      const results: ImportedTool[] = [];
      for (const [at, body] of requests.entries()) {
        try {
          const created = await api.send("POST /imports/{id}/tools", { params: { id }, body });
          results.push(...created);
          // At once: the dialog may be closed before the last request.
          onCreated(keysOfCreated(created));
        } catch (error) {
          if (at === 0) throw error;
          const left = requests.slice(at).flatMap(({ keys }) => keys);
          return [...results, ...left.map((key) => notCreated(key, errorMessage(error)))];
        }
        setDone(results.length);
      }
      return results;
    },
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ["imports"] });
      await client.invalidateQueries({ queryKey: [requests[0]?.publish ? "tools" : "drafts"] });
    },
  });
  return { ...mutation, done };
}

function keysOfCreated(results: readonly ImportedTool[]): ReadonlySet<string> {
  return new Set(results.flatMap(({ key, problem }) => (problem === null ? [key] : [])));
}

function notCreated(key: string, problem: string): ImportedTool {
  return { key, toolName: null, draftId: null, notes: [], problem };
}
