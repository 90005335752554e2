import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { allItemsQuery } from "#api/queries";
import { Button } from "#components/button";
import { ConfirmDialog } from "#components/dialog";
import { useDeleteDrafts } from "../drafts/use-delete-drafts.ts";
import { itemMessages } from "./messages.ts";
import { PublishDrafts } from "./publish-drafts.tsx";

const messages = itemMessages.deleteDrafts;

/** Offers to publish or delete all of the user's drafts of new tools from an import; nothing if there are none. */
export function ImportDrafts({ importId }: { importId: string }): ReactNode {
  const { data: all = [] } = useQuery(allItemsQuery("/drafts"));
  const drafts = all.flatMap(({ import: origin, toolName, ...draft }) =>
    origin?.id === importId && toolName === null ? [{ ...draft, key: origin.key }] : [],
  );
  const [isDeleting, setDeleting] = useState(false);
  const { mutateAsync } = useDeleteDrafts();
  return (
    <div className="flex flex-wrap gap-2">
      {drafts.length === 0 ? null : (
        <Button look="quiet" onPress={() => setDeleting(true)}>
          {messages.open(drafts.length)}
        </Button>
      )}
      <PublishDrafts importId={importId} drafts={drafts} />
      <ConfirmDialog
        title={messages.title(drafts.length)}
        action={messages.open(drafts.length)}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => mutateAsync(drafts.map(({ id }) => id))}
      >
        <p>{messages.body}</p>
      </ConfirmDialog>
    </div>
  );
}
