import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ConnectedApp } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { send } from "#api/client";
import { listQuery, meQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button, LinkButton } from "#components/button";
import { ConfirmDialog } from "#components/dialog";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { showToast } from "#components/toasts";
import { scopeWords } from "#lib/roles";

/** The apps that the person lets act for them, in any of their workspaces. */
export function ConnectedAppsPage(): ReactNode {
  const client = useQueryClient();
  const [ended, setEnded] = useState<ConnectedApp>();
  const disconnect = async ({ id, clientName }: ConnectedApp) => {
    await send("DELETE", `/connected-apps/${id}`);
    await client.invalidateQueries({ queryKey: ["connected-apps"] });
    showToast(`${clientName} is disconnected`);
  };
  return (
    <Page
      title="Connected apps"
      lead="Agents and apps that you let use your tools by signing in with a browser."
    >
      <PagedList
        label="Connected apps"
        query={listQuery<ConnectedApp>("/connected-apps")}
        idOf={({ id }) => id}
        itemHeight={96}
        empty={
          <EmptyState
            title="No app is connected"
            action={<LinkButton to="/install">Connect one</LinkButton>}
          >
            When you connect Claude, ChatGPT, Cursor or another agent, it is listed here with what
            it may do, and you can end it at any time.
          </EmptyState>
        }
      >
        {(app) => <AppRow app={app} onDisconnect={() => setEnded(app)} />}
      </PagedList>
      <ConfirmDialog
        title={`Disconnect ${ended?.clientName ?? "the app"}?`}
        action="Disconnect"
        isOpen={ended !== undefined}
        onClose={() => setEnded(undefined)}
        onConfirm={async () => (ended === undefined ? undefined : disconnect(ended))}
      >
        Its next request is refused. To use it again, you sign in from the app once more.
      </ConfirmDialog>
    </Page>
  );
}

function AppRow({ app, onDisconnect }: { app: ConnectedApp; onDisconnect: () => void }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const workspace = me?.workspaces.find(({ id }) => id === app.workspaceId);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{app.clientName}</span>
          {app.clientUri === null ? null : (
            // What an app says of itself is only shown: it may say anything.
            <span className="text-xs text-soft">{app.clientUri}</span>
          )}
        </div>
        <ul className="flex flex-wrap gap-1" aria-label="What it may do">
          {app.scopes.map((scope) => (
            <li key={scope}>
              <Badge>{scopeWords[scope]}</Badge>
            </li>
          ))}
        </ul>
        <p className="text-sm text-soft">
          In {workspace?.name ?? "another workspace"}. Connected <When at={app.createdAt} />, used{" "}
          <When at={app.lastUsedAt} />
        </p>
      </div>
      <Button look="quiet" aria-label={`Disconnect ${app.clientName}`} onPress={onDisconnect}>
        Disconnect
      </Button>
    </div>
  );
}
