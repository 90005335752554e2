import type { DraftSummary } from "@toolhost/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { itemQuery, listQuery, meQuery } from "#api/queries";
import { BuilderRequired } from "#components/builder-required";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { StartOptions } from "./start-options.tsx";
import { DiscardDialog } from "./discard-dialog.tsx";
import { DraftRow } from "./draft-row.tsx";

/** What the person is writing, and ways to begin. */
export function DraftsPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: settings } = useQuery({
    ...itemQuery("/workspaces/{id}/settings", { params: { id: me?.workspace.id ?? "" } }),
    enabled: me !== undefined,
  });
  const keptDays = settings?.retention.drafts.server;
  const [discarding, setDiscarding] = useState<DraftSummary>();
  if (me !== undefined && !me.scopes.includes("tools:write")) return <BuilderRequired />;
  return (
    <Page title="Build" lead="Begin something new, or go on with what you are writing.">
      <StartOptions />
      <section aria-labelledby="drafts" className="grid gap-3">
        <div>
          <h2 id="drafts" className="font-semibold">
            Your drafts
          </h2>
          <p className="text-sm text-soft">
            Only you see them.{" "}
            {keptDays === undefined || keptDays === 0
              ? ""
              : `One that you neither save nor run for ${keptDays} days is deleted.`}
          </p>
        </div>
        <PagedList
          label="Your drafts"
          query={listQuery("/drafts")}
          idOf={({ id }) => id}
          empty={
            <EmptyState title="No drafts">
              What you begin stands here until you publish or discard it.
            </EmptyState>
          }
        >
          {(draft) => <DraftRow draft={draft} onDiscard={() => setDiscarding(draft)} />}
        </PagedList>
        <DiscardDialog draft={discarding} onClose={() => setDiscarding(undefined)} />
      </section>
    </Page>
  );
}
