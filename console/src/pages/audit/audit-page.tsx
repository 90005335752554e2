import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { AuditEvent, Me } from "@toolhost/contract";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { membersQuery, memberName } from "#api/members";
import { itemQuery, listQuery, meQuery, totalQuery } from "#api/queries";
import { Button } from "#components/button";
import { DataTable } from "#components/data-table";
import { EmptyState, Page } from "#components/page";
import { RoleRequired } from "#components/role-required";
import { usePagedItems } from "#components/use-paged-items";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { toAuditQuery } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { EventDialog } from "./event-dialog.tsx";
import { eventColumns } from "./event-columns.tsx";
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
    return <RoleRequired page={messages.title} right="audit:read" />;
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
  const navigate = route.useNavigate();
  const found = usePagedItems(listQuery("/audit-events", { query }));
  const { sort: _, ...filters } = query;
  const { data: total } = useQuery(totalQuery("/audit-events", filters));
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
      <DataTable
        id="audit"
        label={messages.list}
        columns={eventColumns({
          actorName,
          summaryOf: (event) => summarizeEvent(event, names),
          onOpen: setOpened,
        })}
        noun={messages.noun}
        found={found}
        idOf={({ id }) => id}
        total={total ?? undefined}
        sortable={["time"]}
        sorting={{ column: "time", isDescending: query.sort !== "oldest" }}
        onSort={({ isDescending }) =>
          void navigate({
            search: (before) => ({ ...before, sort: isDescending ? undefined : "oldest" }),
            replace: true,
          })
        }
        empty={<EmptyState title={messages.empty.title}>{messages.empty.body}</EmptyState>}
      />
      {opened === undefined ? null : (
        <EventDialog
          event={opened}
          actorName={actorName(opened)}
          summary={summarizeEvent(opened, names)}
          onClose={() => setOpened(undefined)}
        />
      )}
      {isVerifying ? <VerifyDialog onClose={() => setVerifying(false)} /> : null}
    </Page>
  );
}
