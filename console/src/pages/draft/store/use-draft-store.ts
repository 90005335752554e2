import { useQueryClient } from "@tanstack/react-query";
import type { Draft } from "@toolhost/contract";
import { useEffect, useState, useSyncExternalStore } from "react";
import { api } from "#api/client";
import { workspaceHeaders } from "#api/current-workspace";
import { createDraftStore } from "./draft-store.ts";
import type { DraftState, DraftStore, RemoteChange } from "./draft-store.ts";
import { createLocalCopies } from "./local-copies.ts";

/** Pending saves of drafts whose page was closed; opening such a draft waits for its save. */
const pendingSaves = new Map<string, Promise<void>>();

/** Loads a draft after any pending save of it has finished. */
export async function loadDraft(id: string, signal?: AbortSignal): Promise<Draft> {
  await pendingSaves.get(id);
  return api.get("/drafts/{id}", { params: { id }, signal });
}

/** Opens a draft: its changes are stored, saved and sent to other tabs; leaving the page saves the rest. */
export function useDraftStore(draft: Draft): { store: DraftStore; state: DraftState } {
  const [{ store, listen }] = useState(() => openStore(draft));
  const state = useSyncExternalStore(store.subscribe, store.getState);
  const client = useQueryClient();
  useEffect(() => {
    const stop = listen();
    const flush = () => void store.flush().catch(() => undefined);
    const whenHidden = () => (document.hidden ? flush() : undefined);
    const guard = (event: BeforeUnloadEvent) => {
      const { status, isStoredLocally } = store.getState();
      // Ask before leaving only when the browser storage could not take the changes.
      if (status !== "saved" && !isStoredLocally) event.preventDefault();
    };
    addEventListener("online", flush);
    addEventListener("pagehide", flush);
    addEventListener("beforeunload", guard);
    document.addEventListener("visibilitychange", whenHidden);
    return () => {
      stop();
      removeEventListener("online", flush);
      removeEventListener("pagehide", flush);
      removeEventListener("beforeunload", guard);
      document.removeEventListener("visibilitychange", whenHidden);
      const saved = store.flush().catch(() => undefined);
      pendingSaves.set(draft.id, saved);
      void saved.then(() => {
        pendingSaves.delete(draft.id);
        return client.invalidateQueries({ queryKey: ["drafts"], refetchType: "active" });
      });
    };
  }, [store, listen, client, draft.id]);
  useEffect(() => store.receive(draft), [store, draft]);
  return { store, state };
}

function openStore(draft: Draft): { store: DraftStore; listen: () => () => void } {
  const params = { id: draft.id };
  // Leaving the page saves the rest, also when another workspace is selected to leave it.
  const headers = workspaceHeaders();
  let channel: BroadcastChannel | undefined;
  const store = createDraftStore(draft, {
    copies: createLocalCopies(localStorage),
    save: (revision, definition) =>
      api.send("PUT /drafts/{id}", { params, headers, body: { revision, definition } }),
    load: () => api.get("/drafts/{id}", { params, headers }),
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel is limited to one origin.
    broadcast: (change) => channel?.postMessage(change),
    pauseMs: 700,
    retryMs: 3_000,
  });
  const listen = () => {
    const opened = new BroadcastChannel(`toolhost-draft-${draft.id}`);
    channel = opened;
    opened.addEventListener("message", ({ data }: MessageEvent<RemoteChange>) =>
      store.receive(data),
    );
    return () => {
      opened.close();
      if (channel === opened) channel = undefined;
    };
  };
  return { store, listen };
}
