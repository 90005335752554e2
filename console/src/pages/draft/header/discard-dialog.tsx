import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { ConfirmDialog } from "#components/dialog";
import { showToast } from "#components/toasts";
import { useDraft } from "../draft-context.ts";
import { messages as allMessages } from "../messages.ts";

const messages = allMessages.discard;

/** Asks for confirmation before it deletes the draft. */
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
    showToast(messages.done);
    await navigate({ to: "/drafts" });
  };
  return (
    <ConfirmDialog
      title={messages.title}
      action={messages.confirm}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={discard}
    >
      {messages.body} {draft.toolName === null ? "" : messages.toolUnchanged(draft.toolName)}
    </ConfirmDialog>
  );
}
