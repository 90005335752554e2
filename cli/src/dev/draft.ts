import type { Client, RunResult } from "@toolhost/client";
import type { Definition } from "../project/definition.ts";

/** A draft on the server that has the content of a folder. Only its author sees it. */
export type DevDraft = {
  /** Stores a definition, unless the draft already has it. */
  save(definition: Definition): Promise<void>;
  /** Starts a run of what was saved last, and waits for at most `waitMs`. */
  run(input: unknown, options: { waitMs: number; signal?: AbortSignal }): Promise<RunResult>;
  delete(): Promise<void>;
};

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
      await client.request("DELETE /drafts/{id}", { params }).catch(() => undefined);
    },
  };
}
