import type { Draft, JsonObject } from "@toolhost/contract";
import { ApiProblem, isPermanentError, errorMessage } from "#api/problem";
import { isSameJson } from "#lib/json";
import { firstState, isSameText, patched, withoutTheirs, withText } from "./draft-state.ts";
import type { DraftState, Patch } from "./draft-state.ts";
import type { LocalCopies } from "./local-copies.ts";

export type { DraftState } from "./draft-state.ts";

/** What was saved in another tab, or that it was published or discarded there. */
export type RemoteChange = { revision: number; definition: JsonObject } | { isEnded: true };

/** What the store works with. */
export type DraftPorts = {
  save(revision: number, definition: JsonObject): Promise<{ revision: number }>;
  load(): Promise<Draft>;
  copies: LocalCopies;
  /** Tells other tabs. */
  tell(saved: RemoteChange): void;
  pauseMs: number;
  retryMs: number;
};

export type DraftStore = {
  getState: () => DraftState;
  subscribe: (listener: () => void) => () => void;
  /** Changes members of the definition; undefined takes one out. */
  change: (patch: Patch) => void;
  /** Keeps what was typed and is no JSON; undefined when it is JSON again. */
  setText(place: string, text: string | undefined): void;
  /** Saves at once what is not saved. Throws when that cannot be. */
  flush(): Promise<void>;
  /** Another tab has saved, which is taken over when there is nothing of our own; or has ended the draft. */
  hear(saved: RemoteChange): void;
  acceptTheirs(): void;
  keepMine(): Promise<void>;
  /** The draft is no more: it was published or discarded. Nothing is saved from now on. */
  end(): void;
};

/** What the store's functions work on. */
type Core = {
  readonly draft: Draft;
  readonly ports: DraftPorts;
  readonly listeners: Set<() => void>;
  state: DraftState;
  /** The definition that the service has, as far as is known here. */
  saved: JsonObject;
  timer: ReturnType<typeof setTimeout> | undefined;
  saving: Promise<void> | undefined;
};

/** Keeps a draft: each change in this browser at once, and with the service after a pause. */
export function createDraftStore(draft: Draft, ports: DraftPorts): DraftStore {
  const core: Core = {
    draft,
    ports,
    listeners: new Set(),
    state: firstState(draft, ports.copies.read(draft.id)),
    saved: draft.definition,
    timer: undefined,
    saving: undefined,
  };
  if (core.state.status === "waiting") scheduleSave(core, ports.pauseMs);
  return {
    getState: () => core.state,
    subscribe: (listener) => {
      core.listeners.add(listener);
      return () => core.listeners.delete(listener);
    },
    change: (patch) => {
      const { definition } = core.state;
      // An editor that was given what another tab saved says so once more.
      if (Object.entries(patch).every(([name, value]) => isSameText(definition[name], value)))
        return;
      core.state = { ...core.state, definition: patched(definition, patch) };
      const { status } = core.state;
      const isStoredLocally = keep(core);
      set(core, { isStoredLocally, status: hasFixedStatus(status) ? status : "waiting" });
      if (core.state.status === "waiting") scheduleSave(core, ports.pauseMs);
    },
    setText: (place, text) => {
      core.state = { ...core.state, texts: withText(core.state.texts, place, text) };
      set(core, { isStoredLocally: keep(core) });
    },
    flush: () =>
      core.state.definition === core.saved && core.saving === undefined
        ? Promise.resolve()
        : save(core),
    hear: (said) => {
      if ("isEnded" in said) {
        clearTimeout(core.timer);
        set(core, { status: "gone" });
        return;
      }
      const { revision, definition } = said;
      const { state, saved, saving } = core;
      if (revision <= state.revision || state.definition !== saved || saving !== undefined) return;
      core.saved = definition;
      set(core, { definition, revision, status: "saved" });
      keep(core);
    },
    end: () => {
      clearTimeout(core.timer);
      core.saved = core.state.definition;
      ports.copies.remove(draft.id);
      ports.tell({ isEnded: true });
    },
    acceptTheirs: () => resolveConflict(core, true),
    keepMine: async () => {
      resolveConflict(core, false);
      await save(core);
    },
  };
}

/** A save that is under way, or a choice to be made, goes on whatever is typed. */
function hasFixedStatus(status: DraftState["status"]): boolean {
  return status === "conflict" || status === "saving" || status === "gone";
}

function set(core: Core, patch: Partial<DraftState>): void {
  core.state = { ...core.state, ...patch };
  for (const listener of core.listeners) listener();
}

/** Keeps in this browser what the service has not; false when there is no room. */
function keep({ draft, ports, saved, state }: Core): boolean {
  const { definition, texts, revision } = state;
  if (definition !== saved || Object.keys(texts).length > 0)
    return ports.copies.write(draft.id, { definition, texts, revision });
  ports.copies.remove(draft.id);
  return true;
}

function resolveConflict(core: Core, isTheirs: boolean): void {
  const { theirs, definition, texts } = core.state;
  if (theirs === undefined) return;
  core.saved = theirs.definition;
  core.state = {
    ...withoutTheirs(core.state),
    definition: isTheirs ? theirs.definition : definition,
    texts: isTheirs ? {} : texts,
    revision: theirs.revision,
    status: isTheirs ? "saved" : "waiting",
  };
  set(core, { isStoredLocally: keep(core) });
}

function scheduleSave(core: Core, ms: number): void {
  clearTimeout(core.timer);
  core.timer = setTimeout(() => void save(core).catch(() => undefined), ms);
}

function save(core: Core): Promise<void> {
  clearTimeout(core.timer);
  core.saving ??= saveAll(core).finally(() => {
    core.saving = undefined;
  });
  return core.saving;
}

/** One save after the other, until nothing is left. */
async function saveAll(core: Core): Promise<void> {
  while (core.state.definition !== core.saved) {
    const { definition, revision, status } = core.state;
    if (status === "conflict") throw new Error("The draft was changed elsewhere. Choose first.");
    if (status === "gone") throw new Error("The draft was published or discarded elsewhere.");
    set(core, { status: "saving" });
    try {
      markSaved(core, definition, (await core.ports.save(revision, definition)).revision);
    } catch (error) {
      if (!(await recoverSave(core, error, definition))) throw error;
    }
  }
  const { status } = core.state;
  if (status !== "conflict" && status !== "gone") set(core, { status: "saved" });
}

function markSaved(core: Core, definition: JsonObject, revision: number): void {
  core.saved = definition;
  const { status, definition: latest } = core.state;
  const next = latest === definition ? "saved" : "waiting";
  set(core, { revision, status: status === "gone" ? status : next });
  set(core, { isStoredLocally: keep(core) });
  core.ports.tell({ revision, definition });
}

/** Whether the save went well after all. What is shown otherwise is set. */
async function recoverSave(core: Core, error: unknown, sent: JsonObject): Promise<boolean> {
  if (!(error instanceof ApiProblem) || error.code !== "draft_changed") return fail(core, error);
  try {
    const theirs = await core.ports.load();
    // The answer to our own save was lost, or somebody saved the same.
    if (isSameJson(theirs.definition, sent)) {
      markSaved(core, sent, theirs.revision);
      return true;
    }
    set(core, { status: "conflict", theirs });
    return false;
  } catch (failure) {
    return fail(core, failure);
  }
}

/** Says why it is not saved, and tries again later where that may help. */
function fail(core: Core, error: unknown): false {
  const code = error instanceof ApiProblem ? error.code : undefined;
  if (core.state.status === "gone" || code === "not_found") {
    set(core, { status: "gone" });
  } else if (isPermanentError(error)) {
    set(core, { status: "refused", problem: errorMessage(error) });
  } else {
    set(core, { status: "offline", problem: code === "offline" ? undefined : errorMessage(error) });
    scheduleSave(core, core.ports.retryMs);
  }
  return false;
}
