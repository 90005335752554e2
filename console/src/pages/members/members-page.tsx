import { useQuery } from "@tanstack/react-query";
import type { Me } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { listQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { InvitationList } from "./invitation-list.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberDialogs } from "./member-dialogs.tsx";
import type { MemberAction } from "./member-dialogs.tsx";
import { MemberRow } from "./member-row.tsx";
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
      <PagedList
        label={messages.list}
        query={listQuery("/workspaces/{id}/members", { params: { id: me.workspace.id } })}
        idOf={({ userId }) => userId}
        itemHeight={68}
        empty={null}
      >
        {(member) => <MemberRow me={me} member={member} onAct={setAction} />}
      </PagedList>
      {mayInvite ? <InvitationList me={me} /> : null}
      <RolesGuide own={me.workspace.role} />
      {isInviting ? <InviteDialog me={me} onClose={() => setInviting(false)} /> : null}
      <MemberDialogs me={me} action={action} onClose={() => setAction(undefined)} />
    </Page>
  );
}
