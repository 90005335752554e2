import type { DraftSummary } from "@toolhost/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { itemQuery, listQuery, meQuery } from "#api/queries";
import { RoleRequired } from "#components/role-required";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { StartOptions } from "./start-options.tsx";
import { DiscardDialog } from "./discard-dialog.tsx";
import { DraftRow } from "./draft-row.tsx";
import { DraftSelection } from "./draft-selection.tsx";
import { messages } from "./messages.ts";

/** The drafts of the user, and ways to start a new tool. */
export function DraftsPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: settings } = useQuery({
    ...itemQuery("/workspaces/{id}/settings", { params: { id: me?.workspace.id ?? "" } }),
    enabled: me !== undefined,
  });
  const retentionDays = settings?.retention.drafts.server;
  const [discarding, setDiscarding] = useState<DraftSummary>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  if (me !== undefined && !me.scopes.includes("tools:write")) {
    return <RoleRequired page={messages.title} right="tools:write" />;
  }
  return (
    <Page title={messages.title} lead={messages.lead}>
      <StartOptions />
      <section aria-labelledby="drafts" className="grid gap-3">
        <div>
          <h2 id="drafts" className="font-semibold">
            {messages.drafts.title}
          </h2>
          <p className="text-sm text-soft">
            {messages.drafts.onlyYou}{" "}
            {retentionDays == null || retentionDays === 0
              ? ""
              : messages.drafts.retention(retentionDays)}
          </p>
        </div>
        <DraftSelection selected={selected} onChange={setSelected} />
        <PagedList
          label={messages.drafts.title}
          query={listQuery("/drafts")}
          idOf={({ id }) => id}
          empty={
            <EmptyState title={messages.drafts.emptyTitle}>{messages.drafts.empty}</EmptyState>
          }
        >
          {(draft) => (
            <DraftRow
              draft={draft}
              isSelected={selected.has(draft.id)}
              onSelect={(isSelected) =>
                setSelected((now) => {
                  const changed = new Set(now);
                  if (isSelected) changed.add(draft.id);
                  else changed.delete(draft.id);
                  return changed;
                })
              }
              onDiscard={() => setDiscarding(draft)}
            />
          )}
        </PagedList>
        <DiscardDialog draft={discarding} onClose={() => setDiscarding(undefined)} />
      </section>
    </Page>
  );
}
