import { useQueryClient } from "@tanstack/react-query";
import type { DraftSummary } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { ApiProblem } from "#api/problem";
import { ConfirmDialog } from "#components/dialog";
import { showToast } from "#components/toasts";
import { titleOf } from "./draft-row.tsx";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.discard;

/** Asks for confirmation before it deletes the draft; closed while there is none. */
export function DiscardDialog({
  draft,
  onClose,
}: {
  draft: DraftSummary | undefined;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const discard = async () => {
    if (draft === undefined) return;
    await api.send("DELETE /drafts/{id}", { params: { id: draft.id } }).catch((error: unknown) => {
      // It is already deleted.
      if (!(error instanceof ApiProblem) || error.status !== 404) throw error;
    });
    await client.invalidateQueries({ queryKey: ["drafts"] });
    showToast(messages.done);
  };
  return (
    <ConfirmDialog
      title={messages.title}
      action={messages.confirm}
      isOpen={draft !== undefined}
      onClose={onClose}
      onConfirm={discard}
    >
      {draft === undefined ? null : (
        <>
          {messages.body} <span className="font-medium">{titleOf(draft)}</span>.
          {draft.toolName === null ? "" : ` ${messages.toolUnchanged(draft.toolName)}`}
        </>
      )}
    </ConfirmDialog>
  );
}
