import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { AuditEvent, Me } from "@toolhost/contract";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { membersQuery, memberName } from "#api/members";
import { listQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { toAuditQuery } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { EventDialog } from "./event-dialog.tsx";
import { EventRow } from "./event-row.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { summarizeEvent } from "./event-summary.ts";
import { VerifyDialog } from "./verify-dialog.tsx";

const route = getRouteApi("/audit");

/** Who did what in the workspace, newest first. */
export function AuditPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  if (me === undefined) return null;
  if (!me.scopes.includes("audit:read")) {
    return (
      <Page title="Audit">
        <EmptyState title="Admins read the audit trail">
          It tells who did what in the workspace. Your role does not let you read it.
        </EmptyState>
      </Page>
    );
  }
  return <Trail me={me} />;
}

function Trail({ me }: { me: Me }): ReactNode {
  const search = route.useSearch();
  const query = toAuditQuery(search);
  const [isVerifying, setVerifying] = useState(false);
  const [opened, setOpened] = useState<AuditEvent>();
  const { data: members } = useQuery(membersQuery(me.workspace.id));
  const called = (userId: string | null) => memberName(members, me, userId);
  const whoDid = (event: AuditEvent) => called(event.actor.userId);
  return (
    <Page
      title="Audit"
      lead="Every run and every change, who made it and when. Nothing can be changed or taken out unseen."
      actions={
        <>
          <ExportMenu query={query} />
          <Button onPress={() => setVerifying(true)}>
            <ShieldCheck size={16} aria-hidden />
            Check the trail
          </Button>
        </>
      }
    >
      <AuditFilters me={me} search={search} />
      <PagedList
        label="Audit events"
        query={listQuery("/audit-events", { query })}
        idOf={({ id }) => id}
        itemHeight={44}
        empty={
          <EmptyState title="No event matches">
            Take away some of the filters. What happens from now on is listed here within a moment.
          </EmptyState>
        }
      >
        {(event) => (
          <EventRow
            event={event}
            who={whoDid(event)}
            summary={summarizeEvent(event, called)}
            onOpen={() => setOpened(event)}
          />
        )}
      </PagedList>
      {opened === undefined ? null : (
        <EventDialog event={opened} who={whoDid(opened)} onClose={() => setOpened(undefined)} />
      )}
      {isVerifying ? <VerifyDialog onClose={() => setVerifying(false)} /> : null}
    </Page>
  );
}
