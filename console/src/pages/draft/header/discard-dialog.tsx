import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { ConfirmDialog } from "#components/dialog";
import { showToast } from "#components/toasts";
import { useDraft } from "../draft-context.ts";

/** Asks before a draft is thrown away. */
export function DiscardDialog({
  isOpen,
  onClose,
}: {
  isOpen: boolean;
  onClose: () => void;
}): ReactNode {
  const { draft, store } = useDraft();
  const client = useQueryClient();
  const navigate = useNavigate();
  const discard = async () => {
    await api.send("DELETE /drafts/{id}", { params: { id: draft.id } });
    store.end();
    await client.invalidateQueries({ queryKey: ["drafts", "pages"] });
    showToast("The draft is gone.");
    await navigate({ to: "/drafts" });
  };
  return (
    <ConfirmDialog
      title="Discard this draft?"
      action="Discard"
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={discard}
    >
      What you wrote here is deleted.{" "}
      {draft.toolName === null ? "" : `${draft.toolName} stays as it is.`}
    </ConfirmDialog>
  );
}
