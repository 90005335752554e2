import { useQueryClient } from "@tanstack/react-query";
import type { Draft, ErrorDetail, JsonObject } from "@toolhost/contract";
import { useEffect, useRef, useState } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { showToast } from "#components/toasts";
import { objectsAt, textsAt } from "../definition/read-definition.ts";
import type { DraftStore } from "../store/draft-store.ts";
import { DefinitionError, readExample, runExample, toResult } from "./run-example.ts";
import type { ExampleRun } from "./run-example.ts";

/** The results of running the examples on this page. */
export type ExampleRuns = {
  /** By the index of the example; undefined before the first run. */
  results: readonly ExampleRun[] | undefined;
  /** The examples that were run, to notice changes. */
  examples: readonly JsonObject[];
  remaining: number;
  /** The errors of the definition because of which no example could run. */
  problems: readonly ErrorDetail[];
  start: () => void;
};

/** Runs all examples of the draft, stores new snapshots, and records the results. */
export function useExampleRuns(draft: Draft, store: DraftStore): ExampleRuns {
  const client = useQueryClient();
  const [results, setResults] = useState<readonly ExampleRun[]>();
  const [examples, setExamples] = useState<readonly JsonObject[]>([]);
  const [remaining, setRemaining] = useState(0);
  const [problems, setProblems] = useState<readonly ErrorDetail[]>([]);
  const controllerRef = useRef<AbortController>(undefined);
  useEffect(() => () => controllerRef.current?.abort(), []);
  const run = async (signal: AbortSignal) => {
    await store.flush();
    const { definition } = store.getState();
    const all = objectsAt(definition, "examples");
    setExamples(all);
    setResults([]);
    setProblems([]);
    setRemaining(all.length);
    const done: ExampleRun[] = [];
    const options = { fileFields: textsAt(definition, "fileFields"), signal };
    // One at a time, so that capacity is left for other runs.
    for (const example of all) {
      done.push(await runExample(draft.id, readExample(example), options));
      setResults([...done]);
      setRemaining(all.length - done.length);
    }
    if (done.length === 0) return;
    const withSnapshots = all.map((example, at) => {
      const { snapshot } = done[at] ?? {};
      return snapshot === undefined ? example : { ...example, output: snapshot };
    });
    // Changes that were made during the runs win, and make the results outdated.
    if (store.getState().definition !== definition) return;
    if (done.some(({ snapshot }) => snapshot !== undefined)) {
      store.change({ examples: withSnapshots });
      setExamples(withSnapshots);
      await store.flush();
    }
    await api.send("PUT /drafts/{id}/example-results", {
      params: { id: draft.id },
      body: { revision: store.getState().revision, results: done.map(toResult) },
    });
    await client.invalidateQueries({ queryKey: ["drafts", draft.id, "example-results"] });
  };
  const start = () => {
    if (remaining > 0) return;
    const controller = new AbortController();
    controllerRef.current = controller;
    run(controller.signal).catch((error: unknown) => {
      setRemaining(0);
      if (controller.signal.aborted) return;
      if (error instanceof DefinitionError) {
        setResults(undefined);
        setProblems(error.problems);
      } else {
        showToast(errorMessage(error), "bad");
      }
    });
  };
  return { results, examples, remaining, problems, start };
}
