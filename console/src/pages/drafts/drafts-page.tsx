import type { DraftSummary } from "@toolhost/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { listQuery, meQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { NoBuilder } from "#components/no-builder";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { Beginnings } from "./beginnings.tsx";

/** What the person is writing, and ways to begin. */
export function DraftsPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  if (me !== undefined && !me.scopes.includes("tools:write")) return <NoBuilder />;
  return (
    <Page title="Build" lead="Begin something new, or go on with what you are writing.">
      <Beginnings />
      <section aria-labelledby="drafts" className="grid gap-3">
        <h2 id="drafts" className="font-semibold">
          Your drafts
        </h2>
        <PagedList
          label="Your drafts"
          query={listQuery<DraftSummary>("/drafts")}
          idOf={({ id }) => id}
          empty={
            <EmptyState title="No drafts">
              What you begin is kept here until you publish or discard it. Only you see it.
            </EmptyState>
          }
        >
          {(draft) => <DraftRow draft={draft} />}
        </PagedList>
      </section>
    </Page>
  );
}

function DraftRow({ draft }: { draft: DraftSummary }): ReactNode {
  const { id, title, toolName, updatedAt } = draft;
  return (
    <Link
      to="/drafts/$draftId"
      params={{ draftId: id }}
      className="flex flex-wrap items-center justify-between gap-2 px-4 py-3 hover:bg-raised"
    >
      <span className="min-w-0">
        <span className="block font-medium">{title === "" ? "Without a title" : title}</span>
        <span className="text-sm text-soft">
          Saved <When at={updatedAt} />
        </span>
      </span>
      {toolName === null ? <Badge>new tool</Badge> : <Badge tone="strong">{toolName}</Badge>}
    </Link>
  );
}
