import type { ReactNode } from "react";
import { Button, LinkButton } from "#components/button";
import { useDraft } from "../draft-context.ts";
import { messages as allMessages } from "../messages.ts";
import { useNewDraft } from "../use-new-draft.ts";

const messages = allMessages.ended;

/** Shown when the draft was published or discarded elsewhere; offers to copy its content to a new draft. */
export function DraftEndedNotice(): ReactNode {
  const { state, definition, store } = useDraft();
  const { create, isPending } = useNewDraft(() => store.end());
  return (
    <div role="alert">
      {state.status === "ended" ? (
        <div className="fixed inset-x-4 bottom-4 z-40 mx-auto flex max-w-xl flex-wrap items-center justify-between gap-2 rounded-lg border border-edge bg-paper p-3 text-sm shadow-lg">
          <p className="min-w-48 flex-1">{messages.body}</p>
          <div className="flex flex-wrap gap-2">
            <Button isPending={isPending} onPress={() => create(definition)}>
              {messages.copyToNewDraft}
            </Button>
            <LinkButton to="/drafts" look="quiet">
              {messages.viewDrafts}
            </LinkButton>
          </div>
        </div>
      ) : null}
    </div>
  );
}
