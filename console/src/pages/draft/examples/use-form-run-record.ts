import { useQueryClient } from "@tanstack/react-query";
import type { Draft, JsonObject } from "@toolhost/contract";
import type { RunState } from "@toolhost/ui";
import { useRef } from "react";
import { api } from "#api/client";
import { itemQuery } from "#api/queries";
import { objectsAt, textsAt } from "../definition/read-definition.ts";
import type { DraftStore } from "../store/draft-store.ts";
import { addFormRun } from "./record-run.ts";

/** Records runs of the form whose input is that of an example, so that the example counts as run. */
export function useFormRunRecord(draft: Draft, store: DraftStore) {
  const client = useQueryClient();
  const startedRef = useRef<{ definition: JsonObject; revision: number; at: number }>(undefined);
  const record = async (state: RunState, input: JsonObject) => {
    const started = startedRef.current;
    if (started === undefined || state.status === "idle" || state.status === "running") return;
    startedRef.current = undefined;
    const { definition, revision } = started;
    const params = { id: draft.id };
    const query = itemQuery("/drafts/{id}/example-results", { params });
    const [last] = await client.fetchQuery({ ...query, staleTime: 0 });
    const results = addFormRun(last?.revision === revision ? last : undefined, {
      examples: objectsAt(definition, "examples"),
      fileFields: textsAt(definition, "fileFields"),
      input,
      state,
      durationMs: Math.round(performance.now() - started.at),
    });
    if (results === undefined) return;
    // Refused if the draft was changed during the run, because the result is outdated then.
    await api.send("PUT /drafts/{id}/example-results", { params, body: { revision, results } });
    await client.invalidateQueries({ queryKey: ["drafts", draft.id, "example-results"] });
  };
  return {
    /** Call it when the draft is saved and its run starts. */
    start: () => {
      const { definition, revision } = store.getState();
      startedRef.current = { definition, revision, at: performance.now() };
    },
    /** Call it with each state of the run. */
    end: (state: RunState, input: JsonObject) => {
      // Only the hint that the example was not run depends on it.
      record(state, input).catch(() => undefined);
    },
  };
}
