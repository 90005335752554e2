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
import { settingsDifferences } from "../publish/settings-differences.ts";

const DiffView = lazy(() => import("../editor/diff-view.tsx"));

/** Two versions of one draft: the person takes one. Until then nothing is overwritten. */
export function ConflictDialog(): ReactNode {
  const { state, store } = useDraft();
  // Put off is the choice about what was saved then; what is saved after it is asked about anew.
  const [closedAt, setClosedAt] = useState<number>();
  const { theirs, definition } = state;
  if (theirs === undefined) return null;
  if (closedAt === theirs.revision) {
    return (
      <div className="fixed inset-x-4 bottom-4 z-40 mx-auto flex max-w-lg flex-wrap items-center justify-between gap-2 rounded-lg border border-edge bg-paper p-3 text-sm shadow-lg">
        The draft was changed elsewhere. Yours is kept in this browser.
        <Button onPress={() => setClosedAt(undefined)}>Choose</Button>
      </div>
    );
  }
  const mine = sourceOf(definition);
  const differences = settingsDifferences(theirs.definition, definition);
  return (
    <Dialog
      title="This draft was changed elsewhere"
      isOpen
      isWide
      onClose={() => setClosedAt(theirs.revision)}
    >
      <p className="text-sm">
        Another tab or computer saved it <When at={theirs.updatedAt} />, while you had changes here.
        Nothing is lost: look at both, and take one.
      </p>
      <LazyPart>
        <DiffView
          before={sourceOf(theirs.definition).code}
          after={mine.code}
          beforeLabel="Saved elsewhere"
          afterLabel="Here"
          language={mine.language}
        />
      </LazyPart>
      <Differences differences={differences} beforeLabel="Saved elsewhere" afterLabel="Here" />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={() => store.acceptTheirs()}>Take the one saved elsewhere</Button>
        <Button
          look="primary"
          onPress={() => {
            store.keepMine().catch((error: unknown) => showToast(errorMessage(error), "bad"));
          }}
        >
          Keep mine
        </Button>
      </div>
    </Dialog>
  );
}
