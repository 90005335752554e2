import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { AuditEvent, Me } from "@toolhost/contract";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { membersQuery, memberName } from "#api/members";
import { itemQuery, listQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { toAuditQuery } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { EventDialog } from "./event-dialog.tsx";
import { EventRow } from "./event-row.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { summarizeEvent } from "./event-summary.ts";
import { VerifyDialog } from "./verify-dialog.tsx";
import { messages } from "./messages.ts";

const route = getRouteApi("/audit");

/** The audit log of the workspace, newest first. */
export function AuditPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  if (me === undefined) return null;
  if (!me.scopes.includes("audit:read")) {
    return (
      <Page title={messages.title}>
        <EmptyState title={messages.noAccess.title}>{messages.noAccess.body}</EmptyState>
      </Page>
    );
  }
  return <AuditLog me={me} />;
}

function AuditLog({ me }: { me: Me }): ReactNode {
  const search = route.useSearch();
  const q = useDebouncedValue(search.q ?? "");
  const query = toAuditQuery({ ...search, q });
  const [isVerifying, setVerifying] = useState(false);
  const [opened, setOpened] = useState<AuditEvent>();
  const { data: members } = useQuery(membersQuery(me.workspace.id));
  const nameOfUser = (userId: string | null) => memberName(members, me, userId);
  const { data: invitations } = useQuery(
    itemQuery("/workspaces/{id}/invitations", {
      params: { id: me.workspace.id },
      query: { limit: 200 },
    }),
  );
  const names = {
    ofUser: nameOfUser,
    ofInvitation: (id: string) => invitations?.find((one) => one.id === id)?.email,
  };
  const actorName = (event: AuditEvent) => nameOfUser(event.actor.userId);
  return (
    <Page
      title={messages.title}
      lead={messages.lead}
      actions={
        <>
          <ExportMenu query={query} />
          <Button onPress={() => setVerifying(true)}>
            <ShieldCheck size={16} aria-hidden />
            {messages.verify.action}
          </Button>
        </>
      }
    >
      <AuditFilters me={me} search={search} />
      <PagedList
        label={messages.list}
        query={listQuery("/audit-events", { query })}
        idOf={({ id }) => id}
        itemHeight={44}
        empty={<EmptyState title={messages.empty.title}>{messages.empty.body}</EmptyState>}
      >
        {(event) => (
          <EventRow
            event={event}
            actor={actorName(event)}
            summary={summarizeEvent(event, names)}
            onOpen={() => setOpened(event)}
          />
        )}
      </PagedList>
      {opened === undefined ? null : (
        <EventDialog
          event={opened}
          actorName={actorName(opened)}
          onClose={() => setOpened(undefined)}
        />
      )}
      {isVerifying ? <VerifyDialog onClose={() => setVerifying(false)} /> : null}
    </Page>
  );
}
