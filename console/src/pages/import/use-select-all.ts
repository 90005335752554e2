import { useMutation } from "@tanstack/react-query";
import type { ImportItem } from "@toolhost/contract";
import type { ApiRequest } from "@toolhost/contract/api";
import { useState } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { showToast } from "#components/toasts";

/** So many tools can still be reviewed. More are selected only on request. */
const firstCount = 200;

type Query = ApiRequest<"GET /imports/{id}/items">["query"];

/**
 * Selects the items that match, at first at most 200. `rest` is there while more match: a second request selects them all.
 */
export function useSelectAll(
  id: string,
  query: Query,
  onSelect: (items: readonly ImportItem[]) => void,
) {
  const [rest, setRest] = useState<{ query: string; first: number }>();
  const [complete, setComplete] = useState<{ query: string; items: readonly ImportItem[] }>();
  const key = JSON.stringify([id, query]);
  const hasRest = rest?.query === key;
  const { mutate, isPending } = useMutation({
    mutationFn: async (all: boolean) => {
      const items: ImportItem[] = [];
      let cursor: string | undefined;
      let isWanted = true;
      while (isWanted) {
        const page = await api.getPage("/imports/{id}/items", {
          params: { id },
          query: { ...query, limit: firstCount, ...(cursor === undefined ? {} : { cursor }) },
        });
        items.push(...page.items);
        cursor = page.next;
        isWanted = all && cursor !== undefined;
      }
      return { items, hasMore: cursor !== undefined };
    },
    onSuccess: ({ items, hasMore }) => {
      onSelect(items);
      setRest(hasMore ? { query: key, first: items.length } : undefined);
      setComplete(hasMore ? undefined : { query: key, items });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return {
    selectAll: () => mutate(hasRest),
    isPending,
    rest: hasRest ? rest.first : undefined,
    /** All items that match, once all were selected. */
    complete: complete?.query === key ? complete.items : [],
    clear: () => setRest(undefined),
  };
}
