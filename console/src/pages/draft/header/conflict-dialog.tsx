import type { ReactNode } from "react";
import { lazy, useState } from "react";
import { Button } from "#components/button";
import { When } from "#components/badges";
import { Dialog } from "#components/dialog";
import { showToast } from "#components/toasts";
import { errorMessage } from "#api/problem";
import { sourceOf } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { LazyPart } from "#components/lazy-part";
import { Differences } from "../publish/differences.tsx";
import { messages as allMessages } from "../messages.ts";
import { settingsDifferences } from "../publish/settings-differences.ts";

const messages = allMessages.conflict;

const DiffView = lazy(() => import("../editor/diff-view.tsx"));

/** Asks which of two versions of the draft to use. Nothing is overwritten until then. */
export function ConflictDialog(): ReactNode {
  const { state, store } = useDraft();
  // Closing the dialog postpones this choice only; a later save elsewhere opens it again.
  const [closedRevision, setClosedRevision] = useState<number>();
  const { theirs, definition } = state;
  if (theirs === undefined) return null;
  if (closedRevision === theirs.revision) {
    return (
      <div className="fixed inset-x-4 bottom-4 z-40 mx-auto flex max-w-lg flex-wrap items-center justify-between gap-2 rounded-lg border border-edge bg-paper p-3 text-sm shadow-lg">
        {messages.postponed}
        <Button onPress={() => setClosedRevision(undefined)}>{messages.choose}</Button>
      </div>
    );
  }
  const mine = sourceOf(definition);
  const differences = settingsDifferences(theirs.definition, definition);
  return (
    <Dialog title={messages.title} isOpen isWide onClose={() => setClosedRevision(theirs.revision)}>
      <p className="text-sm">
        {messages.body} <When at={theirs.updatedAt} />.
      </p>
      <LazyPart>
        <DiffView
          before={sourceOf(theirs.definition).code}
          after={mine.code}
          beforeLabel={messages.theirs}
          afterLabel={messages.mine}
          language={mine.language}
        />
      </LazyPart>
      <Differences
        differences={differences}
        beforeLabel={messages.theirs}
        afterLabel={messages.mine}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={() => store.acceptTheirs()}>{messages.acceptTheirs}</Button>
        <Button
          look="primary"
          onPress={() => {
            store.keepMine().catch((error: unknown) => showToast(errorMessage(error), "bad"));
          }}
        >
          {messages.keepMine}
        </Button>
      </div>
    </Dialog>
  );
}
