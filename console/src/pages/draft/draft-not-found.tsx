import type { ReactNode } from "react";
import { useState } from "react";
import { Button, LinkButton } from "#components/button";
import { NotFoundPage } from "#components/not-found-page";
import { createLocalCopies } from "./store/local-copies.ts";
import { messages as allMessages } from "./messages.ts";
import { useNewDraft } from "./use-new-draft.ts";

const messages = allMessages.notFound;

/** Shown for a missing draft; offers to recover changes that this browser stored and the service never received. */
export function DraftNotFound({ draftId }: { draftId: string }): ReactNode {
  const [copies] = useState(() => createLocalCopies(localStorage));
  const [copy, setCopy] = useState(() => copies.read(draftId));
  const { create, isPending } = useNewDraft(() => copies.remove(draftId));
  const drafts = (
    <LinkButton to="/drafts" look={copy === undefined ? "primary" : "plain"}>
      {messages.viewDrafts}
    </LinkButton>
  );
  if (copy === undefined) {
    return (
      <NotFoundPage page={messages.page} title={messages.title} action={drafts}>
        {messages.body}
      </NotFoundPage>
    );
  }
  const deleteChanges = () => {
    copies.remove(draftId);
    setCopy(undefined);
  };
  return (
    <NotFoundPage
      page={messages.page}
      title={messages.unsavedTitle}
      action={
        <>
          <Button look="primary" isPending={isPending} onPress={() => create(copy.definition)}>
            {messages.copyToNewDraft}
          </Button>
          {drafts}
          <Button look="quiet" onPress={deleteChanges}>
            {messages.deleteChanges}
          </Button>
        </>
      }
    >
      {messages.unsavedBody}
    </NotFoundPage>
  );
}
