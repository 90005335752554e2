import { useQuery } from "@tanstack/react-query";
import type { Me } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { memberName, membersQuery } from "#api/members";
import { listQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { DataTable } from "#components/data-table";
import { Page } from "#components/page";
import { usePagedItems } from "#components/use-paged-items";
import { InvitationList } from "./invitation-list.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberDialogs } from "./member-dialogs.tsx";
import type { MemberAction } from "./member-dialogs.tsx";
import { memberColumns } from "./member-columns.tsx";
import { RolesGuide } from "./roles-guide.tsx";
import { messages } from "./messages.ts";

/** The workspace's members and their roles, and pending invitations. */
export function MembersPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  return me === undefined ? null : <Members me={me} />;
}

function Members({ me }: { me: Me }): ReactNode {
  const [isInviting, setInviting] = useState(false);
  const [action, setAction] = useState<MemberAction>();
  const found = usePagedItems(
    listQuery("/workspaces/{id}/members", { params: { id: me.workspace.id } }),
  );
  const { data: all } = useQuery(membersQuery(me.workspace.id));
  const mayInvite = mayDo(me.workspace.role, "members:manage");
  return (
    <Page
      title={messages.title}
      lead={messages.lead(me.workspace.name)}
      actions={
        mayInvite ? (
          <Button look="primary" onPress={() => setInviting(true)}>
            <UserPlus size={16} aria-hidden />
            {messages.invite.action}
          </Button>
        ) : null
      }
    >
      <DataTable
        id="members"
        label={messages.list}
        columns={memberColumns(me, setAction)}
        noun={messages.noun}
        found={found}
        idOf={({ userId }) => userId}
        empty={null}
      />
      {mayInvite ? (
        <InvitationList me={me} nameOf={(userId) => memberName(all, me, userId)} />
      ) : null}
      <RolesGuide own={me.workspace.role} />
      {isInviting ? <InviteDialog me={me} onClose={() => setInviting(false)} /> : null}
      <MemberDialogs me={me} action={action} onClose={() => setAction(undefined)} />
    </Page>
  );
}
