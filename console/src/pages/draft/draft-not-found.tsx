import type { ReactNode } from "react";
import { useState } from "react";
import { Button, LinkButton } from "#components/button";
import { EmptyState, Page } from "#components/page";
import { createLocalCopies } from "./store/local-copies.ts";
import { useNewDraft } from "./use-new-draft.ts";

/** Stands where a draft was. What this browser kept of it, as the service never got it, can be gone on with. */
export function DraftNotFound({ draftId }: { draftId: string }): ReactNode {
  const [copies] = useState(() => createLocalCopies(localStorage));
  const [copy, setCopy] = useState(() => copies.read(draftId));
  const { begin, isPending } = useNewDraft(() => copies.remove(draftId));
  const drafts = (
    <LinkButton to="/drafts" look={copy === undefined ? "primary" : "plain"}>
      See your drafts
    </LinkButton>
  );
  if (copy === undefined) {
    return (
      <Page title="This draft is gone">
        <EmptyState title="There is no such draft" action={drafts}>
          It was published or discarded, or it belongs to another workspace. Drafts are seen by
          their author alone.
        </EmptyState>
      </Page>
    );
  }
  const forget = () => {
    copies.remove(draftId);
    setCopy(undefined);
  };
  return (
    <Page title="This draft is gone">
      <EmptyState
        title="Your last changes are still here"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button look="primary" isPending={isPending} onPress={() => begin(copy.definition)}>
              Make a new draft of them
            </Button>
            {drafts}
            <Button look="quiet" onPress={forget}>
              Forget them
            </Button>
          </div>
        }
      >
        The draft was published or discarded, or it belongs to another workspace. This browser kept
        what you wrote and could not be saved.
      </EmptyState>
    </Page>
  );
}
