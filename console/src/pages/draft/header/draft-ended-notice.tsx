import type { ReactNode } from "react";
import { Button, LinkButton } from "#components/button";
import { useDraft } from "../draft-context.ts";
import { useNewDraft } from "../use-new-draft.ts";

/** Says that the draft was ended elsewhere, and leads on with what is written here. */
export function DraftEndedNotice(): ReactNode {
  const { state, definition, store } = useDraft();
  const { begin, isPending } = useNewDraft(() => store.end());
  return (
    <div role="alert">
      {state.status === "gone" ? (
        <div className="fixed inset-x-4 bottom-4 z-40 mx-auto flex max-w-xl flex-wrap items-center justify-between gap-2 rounded-lg border border-edge bg-paper p-3 text-sm shadow-lg">
          <p className="min-w-48 flex-1">
            This draft was published or discarded elsewhere. What you see is kept in this page
            alone.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button isPending={isPending} onPress={() => begin(definition)}>
              Make a new draft of it
            </Button>
            <LinkButton to="/drafts" look="quiet">
              See your drafts
            </LinkButton>
          </div>
        </div>
      ) : null}
    </div>
  );
}
