import { useQueryClient } from "@tanstack/react-query";
import type { Draft } from "@toolhost/contract";
import { useEffect, useState, useSyncExternalStore } from "react";
import { api } from "#api/client";
import { createDraftStore } from "./draft-store.ts";
import type { DraftState, DraftStore, RemoteChange } from "./draft-store.ts";
import { createLocalCopies } from "./local-copies.ts";

/** Saves of drafts whose page was left; whoever opens one again waits for them. */
const leaving = new Map<string, Promise<void>>();

/** The draft as the service has it, after what was left to save of it. */
export async function loadDraft(id: string, signal?: AbortSignal): Promise<Draft> {
  await leaving.get(id);
  return api.get("/drafts/{id}", { params: { id }, signal });
}

/** Opens a draft: changes are kept, saved and told to other tabs until the page is left, which saves the rest. */
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
      // Only when the browser itself could not keep it.
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
      leaving.set(draft.id, saved);
      void saved.then(() => {
        leaving.delete(draft.id);
        return client.invalidateQueries({ queryKey: ["drafts"], refetchType: "active" });
      });
    };
  }, [store, listen, client, draft.id]);
  useEffect(() => store.hear(draft), [store, draft]);
  return { store, state };
}

function openStore(draft: Draft): { store: DraftStore; listen: () => () => void } {
  const params = { id: draft.id };
  let channel: BroadcastChannel | undefined;
  const store = createDraftStore(draft, {
    copies: createLocalCopies(localStorage),
    save: (revision, definition) =>
      api.send("PUT /drafts/{id}", { params, body: { revision, definition } }),
    load: () => api.get("/drafts/{id}", { params }),
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has one origin.
    tell: (saved) => channel?.postMessage(saved),
    pauseMs: 700,
    retryMs: 3_000,
  });
  const listen = () => {
    const opened = new BroadcastChannel(`toolhost-draft-${draft.id}`);
    channel = opened;
    opened.addEventListener("message", ({ data }: MessageEvent<RemoteChange>) => store.hear(data));
    return () => {
      opened.close();
      if (channel === opened) channel = undefined;
    };
  };
  return { store, listen };
}
