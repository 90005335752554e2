import type { Client, RunResult } from "@toolhost/client";
import type { Definition } from "../project/definition.ts";

/** A draft on the server that has the content of a folder. Only its author sees it. */
export type DevDraft = {
  /** Stores a definition, unless the draft already has it. */
  save(definition: Definition): Promise<void>;
  /** Starts a run of what was saved last, and waits for at most `waitMs`. */
  run(input: unknown, options: { waitMs: number; signal?: AbortSignal }): Promise<RunResult>;
  /** Deletes the draft within some seconds. Returns whether it is gone. */
  delete(): Promise<boolean>;
};

const deleteTimeoutMs = 4_000;

/** What to tell the user if the draft could not be deleted. */
export const undeletedDraft = "The draft may remain. Delete it in the console, under Drafts.";

/** Whether an error says that the draft was deleted. */
export const isGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "not_found";

/** Creates a draft of a new tool, or of a change to the linked one. */
export async function createDraft(
  client: Client,
  toolName: string | undefined,
  definition: Definition,
): Promise<DevDraft> {
  const body = { ...(toolName === undefined ? {} : { toolName }), definition: definition as never };
  const draft = await client.request("POST /drafts", { body });
  const params = { id: draft.id };
  let { revision } = draft;
  let saved = JSON.stringify(definition);
  return {
    save: async (next) => {
      const text = JSON.stringify(next);
      if (text === saved) return;
      const request = { params, body: { revision, definition: next as never } };
      ({ revision } = await client.request("PUT /drafts/{id}", request));
      saved = text;
    },
    run: (input, { waitMs, signal }) => {
      const seconds = Math.floor(waitMs / 1_000);
      const prefer = seconds > 0 ? `wait=${seconds}` : "respond-async";
      return client.request("POST /drafts/{id}/run", {
        params,
        body: input,
        headers: { prefer },
        signal,
      });
    },
    delete: async () => {
      const signal = AbortSignal.timeout(deleteTimeoutMs);
      return client.request("DELETE /drafts/{id}", { params, signal }).then(
        () => true,
        (error: unknown) => isGone(error),
      );
    },
  };
}
