import { useQueryClient } from "@tanstack/react-query";
import type { DraftSummary } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { ApiProblem } from "#api/problem";
import { ConfirmDialog } from "#components/dialog";
import { showToast } from "#components/toasts";
import { titleOf } from "./draft-row.tsx";

/** Asks before the draft is thrown away; closed while there is none. */
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
      // It is gone already.
      if (!(error instanceof ApiProblem) || error.status !== 404) throw error;
    });
    await client.invalidateQueries({ queryKey: ["drafts"] });
    showToast("The draft is gone.");
  };
  return (
    <ConfirmDialog
      title="Discard this draft?"
      action="Discard"
      isOpen={draft !== undefined}
      onClose={onClose}
      onConfirm={discard}
    >
      {draft === undefined ? null : (
        <>
          What you wrote in <span className="font-medium">{titleOf(draft)}</span> is deleted.
          {draft.toolName === null ? "" : ` ${draft.toolName} stays as it is.`}
        </>
      )}
    </ConfirmDialog>
  );
}
