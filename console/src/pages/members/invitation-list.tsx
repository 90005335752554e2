import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Invitation, Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { listQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";
import { Card } from "#components/page";
import { PagedList } from "#components/paged-list";
import { showToast } from "#components/toasts";
import { roleLabel } from "#lib/role-label";
import { messages } from "./messages.ts";

const text = messages.invitations;

/** Pending invitations. */
export function InvitationList({ me }: { me: Me }): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (invitation: Invitation) =>
      api.send("DELETE /workspaces/{id}/invitations/{invitationId}", {
        params: { id: me.workspace.id, invitationId: invitation.id },
      }),
    onSuccess: (_, { email }) => showToast(text.revoked(email)),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () =>
      client.invalidateQueries({ queryKey: ["workspaces", me.workspace.id, "invitations"] }),
  });
  return (
    <Card title={text.title}>
      <PagedList
        label={text.list}
        query={listQuery("/workspaces/{id}/invitations", { params: { id: me.workspace.id } })}
        idOf={({ id }) => id}
        empty={<p className="text-soft">{text.empty}</p>}
      >
        {(invitation) => (
          <div className="ui-row">
            <div className="grid min-w-0">
              <span className="font-medium">{invitation.email}</span>
              <span className="text-sm text-soft">
                {text.expires} <When at={invitation.expiresAt} />
              </span>
            </div>
            <div className="flex items-center gap-2">
              <Badge>{roleLabel(invitation.role)}</Badge>
              <Button
                look="quiet"
                aria-label={text.revokeLabel(invitation.email)}
                isPending={isPending && variables.id === invitation.id}
                onPress={() => mutate(invitation)}
              >
                {text.revoke}
              </Button>
            </div>
          </div>
        )}
      </PagedList>
    </Card>
  );
}
