import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Invitation, Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { listQuery } from "#api/queries";
import { Button } from "#components/button";
import { DataTable } from "#components/data-table";
import type { Column } from "#components/table-column";
import { expirationColumn, timeColumn } from "#components/time-column";
import { showToast } from "#components/toasts";
import { usePagedItems } from "#components/use-paged-items";
import { roleLabel } from "#lib/role-label";
import { messages } from "./messages.ts";

const text = messages.invitations;

/** Pending invitations. */
export function InvitationList({
  me,
  nameOf,
}: {
  me: Me;
  nameOf: (userId: string) => string;
}): ReactNode {
  const [now] = useState(() => Date.now());
  const found = usePagedItems(
    listQuery("/workspaces/{id}/invitations", { params: { id: me.workspace.id } }),
  );
  return (
    <section aria-label={text.title} className="grid min-w-0 grid-cols-1 gap-1">
      <h2 className="font-semibold">{text.title}</h2>
      <DataTable
        id="invitations"
        label={text.list}
        noun={text.noun}
        columns={invitationColumns(me, nameOf, now)}
        found={found}
        idOf={({ id }) => id}
        empty={<p className="text-sm text-soft">{text.empty}</p>}
      />
    </section>
  );
}

function invitationColumns(
  me: Me,
  nameOf: (userId: string) => string,
  now: number,
): readonly Column<Invitation>[] {
  return [
    {
      id: "email",
      label: messages.columns.email,
      width: "minmax(0,1.5fr)",
      phone: "title",
      cell: ({ email }) => <span className="font-medium">{email}</span>,
    },
    {
      id: "role",
      label: messages.columns.role,
      width: "9rem",
      cell: ({ role }) => roleLabel(role),
    },
    {
      id: "invited-by",
      label: text.invitedBy,
      width: "minmax(0,1fr)",
      phone: "none",
      cell: ({ invitedBy }) => nameOf(invitedBy),
    },
    timeColumn({
      id: "invited",
      label: text.invited,
      phone: "none",
      at: ({ createdAt }) => createdAt,
    }),
    expirationColumn({
      id: "expires",
      label: text.expires,
      now,
      at: ({ expiresAt }) => expiresAt,
    }),
    {
      id: "actions",
      label: "",
      width: "6rem",
      isEnd: true,
      phone: "end",
      cell: (invitation) => <RevokeButton workspaceId={me.workspace.id} invitation={invitation} />,
    },
  ];
}

function RevokeButton({
  workspaceId,
  invitation: { id, email },
}: {
  workspaceId: string;
  invitation: Invitation;
}): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      api.send("DELETE /workspaces/{id}/invitations/{invitationId}", {
        params: { id: workspaceId, invitationId: id },
      }),
    onSuccess: () => showToast(text.revoked(email)),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () =>
      client.invalidateQueries({ queryKey: ["workspaces", workspaceId, "invitations"] }),
  });
  return (
    <Button
      look="quiet"
      isSmall
      aria-label={text.revokeLabel(email)}
      isPending={isPending}
      onPress={() => mutate()}
    >
      {text.revoke}
    </Button>
  );
}
