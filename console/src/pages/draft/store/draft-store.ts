import type { Draft, JsonObject } from "@toolhost/contract";
import { ApiProblem, isPermanentError, errorMessage } from "#api/problem";
import { isSameJson } from "#lib/json";
import { firstState, isSameText, applyPatch, withoutTheirs, withText } from "./draft-state.ts";
import type { DraftState, Patch } from "./draft-state.ts";
import type { LocalCopies } from "./local-copies.ts";
import { messages as allMessages } from "../messages.ts";

const messages = allMessages.saveStatus;

export type { DraftState } from "./draft-state.ts";

/** A message from another tab: a save, or the end of the draft by publishing or discarding it. */
export type RemoteChange = { revision: number; definition: JsonObject } | { isEnded: true };

/** The dependencies of the store. */
export type DraftPorts = {
  save(revision: number, definition: JsonObject): Promise<{ revision: number }>;
  load(): Promise<Draft>;
  copies: LocalCopies;
  /** Notifies other tabs. */
  broadcast(change: RemoteChange): void;
  pauseMs: number;
  retryMs: number;
};

export type DraftStore = {
  getState: () => DraftState;
  subscribe: (listener: () => void) => () => void;
  /** Changes fields of the definition; undefined removes a field. */
  change: (patch: Patch) => void;
  /** Stores invalid JSON as it was typed; undefined when the text is valid again. */
  setText(path: string, text: string | undefined): void;
  /** Saves unsaved changes immediately. Throws when they cannot be saved. */
  flush(): Promise<void>;
  /** Handles a message from another tab: applies a save unless there are unsaved changes here, or marks the draft as ended. */
  receive(change: RemoteChange): void;
  acceptTheirs(): void;
  keepMine(): Promise<void>;
  /** Stops saving, because the draft was published or discarded here. */
  end(): void;
};

/** The internal state that the functions of the store share. */
type Core = {
  readonly draft: Draft;
  readonly ports: DraftPorts;
  readonly listeners: Set<() => void>;
  state: DraftState;
  /** The definition that was last saved, as far as this tab knows. */
  saved: JsonObject;
  timer: ReturnType<typeof setTimeout> | undefined;
  saving: Promise<void> | undefined;
};

/** Creates the store of an open draft: each change is stored in this browser immediately, and saved after a pause. */
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
      // The code editor reports text that was set from another tab as a change.
      if (Object.entries(patch).every(([name, value]) => isSameText(definition[name], value)))
        return;
      core.state = { ...core.state, definition: applyPatch(definition, patch) };
      const { status } = core.state;
      const isStoredLocally = storeLocally(core);
      set(core, { isStoredLocally, status: hasFixedStatus(status) ? status : "waiting" });
      if (core.state.status === "waiting") scheduleSave(core, ports.pauseMs);
    },
    setText: (path, text) => {
      core.state = { ...core.state, texts: withText(core.state.texts, path, text) };
      set(core, { isStoredLocally: storeLocally(core) });
    },
    flush: () =>
      core.state.definition === core.saved && core.saving === undefined
        ? Promise.resolve()
        : save(core),
    receive: (change) => {
      // All tabs of a draft share one copy, which the other tab has removed.
      if (hasUnsaved(core)) set(core, { isStoredLocally: storeLocally(core) });
      if ("isEnded" in change) {
        clearTimeout(core.timer);
        set(core, { status: "ended" });
        return;
      }
      const { revision, definition } = change;
      const { state, saved, saving } = core;
      if (revision <= state.revision || state.definition !== saved || saving !== undefined) return;
      core.saved = definition;
      set(core, { definition, revision, status: "saved" });
      storeLocally(core);
    },
    end: () => {
      clearTimeout(core.timer);
      core.saved = core.state.definition;
      ports.copies.remove(draft.id);
      ports.broadcast({ isEnded: true });
    },
    acceptTheirs: () => resolveConflict(core, true),
    keepMine: async () => {
      resolveConflict(core, false);
      await save(core);
    },
  };
}

/** Whether the status stays the same when the user types: during a save or a conflict, and after the end. */
function hasFixedStatus(status: DraftState["status"]): boolean {
  return status === "conflict" || status === "saving" || status === "ended";
}

function set(core: Core, patch: Partial<DraftState>): void {
  core.state = { ...core.state, ...patch };
  for (const listener of core.listeners) listener();
}

function hasUnsaved({ saved, state: { definition, texts } }: Core): boolean {
  return definition !== saved || Object.keys(texts).length > 0;
}

/** Stores unsaved content in this browser. Returns false when the browser storage is full. */
function storeLocally(core: Core): boolean {
  const { draft, ports, state } = core;
  const { definition, texts, revision } = state;
  if (hasUnsaved(core)) return ports.copies.write(draft.id, { definition, texts, revision });
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
  set(core, { isStoredLocally: storeLocally(core) });
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

/** Saves until nothing is unsaved. */
async function saveAll(core: Core): Promise<void> {
  while (core.state.definition !== core.saved) {
    const { definition, revision, status } = core.state;
    if (status === "conflict") throw new Error(messages.conflictError);
    if (status === "ended") throw new Error(messages.endedError);
    set(core, { status: "saving" });
    try {
      markSaved(core, definition, (await core.ports.save(revision, definition)).revision);
    } catch (error) {
      if (!(await recoverSave(core, error, definition))) throw error;
    }
  }
  const { status } = core.state;
  if (status !== "conflict" && status !== "ended") set(core, { status: "saved" });
}

function markSaved(core: Core, definition: JsonObject, revision: number): void {
  core.saved = definition;
  const { status, definition: latest } = core.state;
  const next = latest === definition ? "saved" : "waiting";
  set(core, { revision, status: status === "ended" ? status : next });
  set(core, { isStoredLocally: storeLocally(core) });
  core.ports.broadcast({ revision, definition });
}

/** Whether a rejected save had succeeded after all. Otherwise sets the status to show. */
async function recoverSave(core: Core, error: unknown, sent: JsonObject): Promise<boolean> {
  if (!(error instanceof ApiProblem) || error.code !== "draft_changed") return fail(core, error);
  try {
    const theirs = await core.ports.load();
    // The response to this save was lost, or someone else saved the same content.
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

/** Sets the status of a failed save, and schedules a retry where that may help. */
function fail(core: Core, error: unknown): false {
  const code = error instanceof ApiProblem ? error.code : undefined;
  if (core.state.status === "ended" || code === "not_found") {
    set(core, { status: "ended" });
  } else if (isPermanentError(error)) {
    set(core, { status: "refused", problem: errorMessage(error) });
  } else {
    set(core, { status: "offline", problem: code === "offline" ? undefined : errorMessage(error) });
    scheduleSave(core, core.ports.retryMs);
  }
  return false;
}
