import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Invitation, Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { errorMessage } from "#api/problem";
import { listQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";
import { Card } from "#components/page";
import { PagedList } from "#components/paged-list";
import { showToast } from "#components/toasts";

/** Invitations that nobody has taken yet. */
export function InvitationList({ me }: { me: Me }): ReactNode {
  const client = useQueryClient();
  const path = `/workspaces/${me.workspace.id}/invitations`;
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id }: Invitation) => send("DELETE", `${path}/${id}`),
    onSuccess: (_, { email }) => showToast(`The invitation of ${email} is withdrawn`),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () =>
      client.invalidateQueries({ queryKey: ["workspaces", me.workspace.id, "invitations"] }),
  });
  return (
    <Card title="Open invitations">
      <PagedList
        label="Invitations"
        query={listQuery<Invitation>(path)}
        idOf={({ id }) => id}
        empty={
          <p className="text-soft">
            Nobody is invited just now. An invitation is for one e-mail address and holds for a
            week.
          </p>
        }
      >
        {(invitation) => (
          <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
            <div className="grid min-w-0">
              <span className="font-medium">{invitation.email}</span>
              <span className="text-sm text-soft">
                Ends <When at={invitation.expiresAt} />
              </span>
            </div>
            <div className="flex items-center gap-2">
              <Badge>{invitation.role}</Badge>
              <Button
                look="quiet"
                aria-label={`Withdraw the invitation of ${invitation.email}`}
                isPending={isPending && variables.id === invitation.id}
                onPress={() => mutate(invitation)}
              >
                Withdraw
              </Button>
            </div>
          </div>
        )}
      </PagedList>
    </Card>
  );
}
