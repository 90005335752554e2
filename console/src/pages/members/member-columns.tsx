import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Me, Member, Role } from "@toolhost/contract";
import { mayDo, mayManage } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { membersQuery } from "#api/members";
import { errorMessage } from "#api/problem";
import { When } from "#components/badges";
import { Button } from "#components/button";
import { MoreButton } from "#components/more-button";
import { SelectField } from "#components/select-field";
import { Menu } from "#components/menu";
import type { Column } from "#components/table-column";
import { showToast } from "#components/toasts";
import { roleLabel } from "#lib/role-label";
import { roleChoices } from "#lib/roles";
import type { MemberAction } from "./member-dialogs.tsx";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

type Props = { me: Me; member: Member; onAct: (action: MemberAction) => void };

/** The columns of the members, with the actions that the user may take on them. */
export function memberColumns(
  me: Me,
  onAct: (action: MemberAction) => void,
): readonly Column<Member>[] {
  return [
    {
      id: "name",
      label: messages.columns.name,
      width: "minmax(0,1fr)",
      phone: "title",
      cell: ({ name, email, userId }) => (
        <span className="font-medium">
          <Name>{name || email}</Name>
          {userId === me.user.id ? (
            <span className="font-normal text-soft"> {messages.you}</span>
          ) : null}
        </span>
      ),
    },
    {
      id: "email",
      label: messages.columns.email,
      width: "minmax(0,1.5fr)",
      phone: "line",
      cell: ({ email }) => <span className="text-soft">{email}</span>,
    },
    {
      id: "role",
      label: messages.columns.role,
      width: "9rem",
      cell: (member) =>
        member.userId !== me.user.id && mayManage(me.workspace.role, member.role) ? (
          <RoleSelect me={me} member={member} onAct={onAct} />
        ) : (
          roleLabel(member.role)
        ),
    },
    {
      id: "joined",
      label: messages.columns.joined,
      width: "8rem",
      cell: ({ joinedAt }) => (
        <span className="text-soft">
          <When at={joinedAt} />
        </span>
      ),
    },
    {
      id: "actions",
      label: "",
      width: "11rem",
      isEnd: true,
      phone: "end",
      cell: (member) => <MemberActions me={me} member={member} onAct={onAct} />,
    },
  ];
}

function MemberActions({ me, member, onAct }: Props): ReactNode {
  const { name, email, role, userId } = member;
  const isSelf = userId === me.user.id;
  const own = me.workspace.role;
  const isManaged = !isSelf && mayManage(own, role);
  if (isSelf) return <Leave me={me} onPress={() => onAct({ what: "leave", member })} />;
  return isManaged ? (
    <Menu
      label={messages.row.menu(name || email)}
      trigger={<MoreButton label={messages.row.menuButton(name || email)} isSmall />}
      entries={[
        ...(mayDo(own, "workspace:transfer") && role !== "owner"
          ? [
              {
                id: "transfer",
                label: messages.row.transfer,
                onAction: () => onAct({ what: "transfer", member }),
              },
            ]
          : []),
        {
          id: "remove",
          label: messages.row.remove,
          isDangerous: true,
          onAction: () => onAct({ what: "remove", member }),
        },
      ]}
    />
  ) : null;
}

/** The only owner cannot leave, because every workspace needs one. */
function Leave({ me, onPress }: { me: Me; onPress: () => void }): ReactNode {
  const isOwner = me.workspace.role === "owner";
  const { data: members } = useQuery({ ...membersQuery(me.workspace.id), enabled: isOwner });
  const isOnlyOwner =
    isOwner &&
    members !== undefined &&
    !members.some(({ role, userId }) => role === "owner" && userId !== me.user.id);
  return isOnlyOwner ? (
    <span title={messages.row.isOnlyOwner} className="text-xs text-soft">
      {messages.row.onlyOwner}
    </span>
  ) : (
    <Button look="quiet" isSmall onPress={onPress}>
      {messages.row.leave}
    </Button>
  );
}

function RoleSelect({ me, member, onAct }: Props): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (role: Role) =>
      api.send("PATCH /workspaces/{id}/members/{userId}", {
        params: { id: me.workspace.id, userId: member.userId },
        body: { role },
      }),
    onSuccess: ({ name, email, role }) =>
      showToast(messages.row.roleChanged(name || email, roleLabel(role))),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () =>
      client.invalidateQueries({ queryKey: ["workspaces", me.workspace.id, "members"] }),
  });
  return (
    <SelectField
      label={messages.row.role(member.name || member.email)}
      isLabelHidden
      className="w-32"
      choices={roleChoices.filter(({ id }) => mayManage(me.workspace.role, id))}
      // Optimistic: reverts when the request fails.
      value={isPending ? variables : member.role}
      isDisabled={isPending}
      onChange={(role) => {
        if (role === member.role) return;
        if (role === "owner") onAct({ what: "promote", member });
        else mutate(role);
      }}
    />
  );
}
