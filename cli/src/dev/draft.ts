import type { Client, RunResult } from "@toolhost/client";
import type { Definition } from "../project/definition.ts";

/** A draft on the server that has the content of a folder. Only its author sees it. */
export type DevDraft = {
  /** Stores a definition, unless the draft already has it. */
  save(definition: Definition): Promise<void>;
  /** Starts a run of what was saved last. Takes no signal: an aborted request could leave a run that cannot be cancelled. */
  run(input: unknown): Promise<RunResult>;
  /** Replaces the name of the draft in a text of the service with that of the folder. */
  nameFolder(text: string): string;
  /** Deletes the draft within some seconds. Returns whether it is gone. */
  delete(): Promise<boolean>;
};

const deleteTimeoutMs = 4_000;

/** What to tell the user if the draft could not be deleted. */
export const undeletedDraft = "The draft may remain. Delete it in the console, under Drafts.";

/** Whether an error says that the draft was deleted. */
export const isGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "not_found";

type Subject = {
  folder: string;
  /** The linked tool; undefined if the tool is new. */
  toolName: string | undefined;
};

/** Creates a draft of a new tool, or of a change to the linked one. Errors of its runs name the folder instead of the draft. */
export async function createDraft(
  client: Client,
  { folder, toolName }: Subject,
  definition: Definition,
): Promise<DevDraft> {
  const body = { ...(toolName === undefined ? {} : { toolName }), definition: definition as never };
  const draft = await client.request("POST /drafts", { body });
  const params = { id: draft.id };
  const nameFolder = (text: string) => text.replaceAll(`draft-${draft.id}`, folder);
  let { revision } = draft;
  let saved = JSON.stringify(definition);
  return {
    nameFolder,
    save: async (next) => {
      const text = JSON.stringify(next);
      if (text === saved) return;
      const request = { params, body: { revision, definition: next as never } };
      ({ revision } = await client.request("PUT /drafts/{id}", request));
      saved = text;
    },
    run: async (input) => {
      try {
        return await client.request("POST /drafts/{id}/run", {
          params,
          body: input,
          headers: { prefer: "respond-async" },
        });
      } catch (error) {
        if (error instanceof Error) error.message = nameFolder(error.message);
        throw error;
      }
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
