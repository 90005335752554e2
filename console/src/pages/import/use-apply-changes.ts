import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ImportChange, ImportedTool } from "@toolhost/contract";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { showToast } from "#components/toasts";
import { changeMessages as messages } from "./messages-changes.ts";
import { discardsEdits } from "./review.ts";
import type { Review } from "./review.ts";

/** The service applies no more with one request. */
const maxPerRequest = 50;

type Reviewed = { changes: readonly ImportChange[]; publish: boolean };

/**
 * Publishes reviewed changes, or creates drafts of them, exactly as they were shown. Publishing replaces edits, so the caller
 * has to ask first.
 */
export function useApplyChanges(
  id: string,
  reviewOf: (change: ImportChange) => Review,
  onDrafted: (change: ImportChange, draftId: string) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ changes, publish }: Reviewed) => {
      const results: ImportedTool[] = [];
      for (let from = 0; from < changes.length; from += maxPerRequest) {
        const batch = changes.slice(from, from + maxPerRequest);
        const reviewed = batch.map((change) => ({
          toolName: change.toolName,
          hash: change.hash,
          discardEdits: publish && discardsEdits(change),
          picks: reviewOf(change).picks ?? {},
        }));
        const body = { changes: reviewed, publish };
        results.push(...(await api.send("POST /imports/{id}/changes", { params: { id }, body })));
      }
      return results;
    },
    onSuccess: (results, { changes, publish }) => {
      for (const [at, { problem, draftId }] of results.entries()) {
        const change = changes[at];
        const name = change?.toolName ?? "";
        if (change !== undefined && draftId !== null) onDrafted(change, draftId);
        if (problem !== null) showToast(messages.failed(name, problem), "bad");
      }
      const done = results.filter(({ problem }) => problem === null).length;
      const name = changes[0]?.toolName ?? "";
      if (done === 0) return;
      if (done === 1 && changes.length === 1) {
        const applied = changes[0]?.kind === "removed" ? messages.archived : messages.applied;
        showToast((publish ? applied : messages.drafted)(name));
      } else {
        showToast(publish ? messages.manyApplied(done) : messages.manyDrafted(done));
      }
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ["imports"] });
      await client.invalidateQueries({ queryKey: ["tools"] });
      await client.invalidateQueries({ queryKey: ["drafts"] });
    },
  });
}
