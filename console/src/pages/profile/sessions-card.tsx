import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Session } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { listQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";
import { Card } from "#components/page";
import { PagedList } from "#components/paged-list";
import { showToast } from "#components/toasts";
import { browserName } from "./browser-name.ts";
import { messages } from "./messages.ts";

const text = messages.sessions;

/** The user's sessions. */
export function SessionsCard(): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id }: Session) => api.send("DELETE /sessions/{id}", { params: { id } }),
    onSuccess: () => showToast(text.signedOut),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () => client.invalidateQueries({ queryKey: ["sessions"] }),
  });
  return (
    <Card title={text.title} actions={<SignOutOthers />}>
      <PagedList
        label={text.list}
        query={listQuery("/sessions")}
        idOf={({ id }) => id}
        empty={null}
      >
        {(session) => (
          <div className="ui-row">
            <div className="grid min-w-0">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {browserName(session.userAgent)}
                {session.isCurrent ? <Badge tone="strong">{text.current}</Badge> : null}
              </span>
              <span className="text-sm text-soft">
                {session.ip === null ? "" : text.from(session.ip)}
                {text.lastUsed} <When at={session.lastUsedAt} />
                {text.signedIn} <When at={session.createdAt} />
              </span>
            </div>
            {session.isCurrent ? null : (
              <Button
                look="quiet"
                aria-label={text.signOutLabel(browserName(session.userAgent))}
                isPending={isPending && variables.id === session.id}
                onPress={() => mutate(session)}
              >
                {text.signOut}
              </Button>
            )}
          </div>
        )}
      </PagedList>
    </Card>
  );
}

/** Signs out every session except the current one. */
function SignOutOthers(): ReactNode {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { items } = await api.getPage("/sessions", { query: { limit: 200 } });
      const others = items.filter(({ isCurrent }) => !isCurrent);
      for (const { id } of others) await api.send("DELETE /sessions/{id}", { params: { id } });
      return others.length;
    },
    onSuccess: (count) => showToast(count === 0 ? text.noOthers : text.othersSignedOut),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () => client.invalidateQueries({ queryKey: ["sessions"] }),
  });
  return (
    <Button isPending={isPending} onPress={() => mutate()}>
      {isPending ? text.signingOut : text.signOutOthers}
    </Button>
  );
}
