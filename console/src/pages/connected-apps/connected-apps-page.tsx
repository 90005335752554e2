import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ConnectedApp } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { scopes } from "@toolhost/contract/scopes";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { listQuery, meQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button, LinkButton } from "#components/button";
import { ConfirmDialog } from "#components/dialog";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { Tabs } from "#components/tabs";
import { showToast } from "#components/toasts";
import { messages } from "./messages.ts";

const route = getRouteApi("/connected-apps");
const text = messages.row;

/** The user's connected apps in all of their workspaces, and all members' in this one for admins. */
export function ConnectedAppsPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { owner } = route.useSearch();
  const navigate = route.useNavigate();
  const own = (
    <AppList owner="me">
      <EmptyState
        title={messages.empty.title}
        action={<LinkButton to="/install">{messages.empty.action}</LinkButton>}
      >
        {messages.empty.body}
      </EmptyState>
    </AppList>
  );
  return (
    <Page title={messages.title} lead={messages.lead}>
      {mayDo(me?.workspace.role ?? "", "apps:oversee") ? (
        <Tabs
          label={messages.owners.label}
          selected={owner ?? "me"}
          onSelect={(id) => void navigate({ search: { owner: id === "me" ? undefined : id } })}
          tabs={[
            { id: "me", label: messages.owners.me, content: own },
            {
              id: "anyone",
              label: messages.owners.anyone,
              content: (
                <AppList owner="anyone">
                  <EmptyState title={messages.emptyWorkspace.title}>
                    {messages.emptyWorkspace.body}
                  </EmptyState>
                </AppList>
              ),
            },
          ]}
        />
      ) : (
        own
      )}
    </Page>
  );
}

function AppList({ owner, children }: { owner: "me" | "anyone"; children: ReactNode }): ReactNode {
  const client = useQueryClient();
  const [disconnecting, setDisconnecting] = useState<ConnectedApp>();
  const disconnect = async ({ id, clientName }: ConnectedApp) => {
    await api.send("DELETE /connected-apps/{id}", { params: { id } });
    await client.invalidateQueries({ queryKey: ["connected-apps"] });
    showToast(messages.disconnect.disconnected(clientName));
  };
  return (
    <>
      <PagedList
        label={messages.list}
        query={listQuery("/connected-apps", { query: { owner } })}
        idOf={({ id }) => id}
        itemHeight={96}
        empty={children}
      >
        {(app) => <AppRow app={app} onDisconnect={() => setDisconnecting(app)} />}
      </PagedList>
      <ConfirmDialog
        title={messages.disconnect.title(disconnecting?.clientName ?? messages.disconnect.thisApp)}
        action={messages.disconnect.action}
        isOpen={disconnecting !== undefined}
        onClose={() => setDisconnecting(undefined)}
        onConfirm={async () =>
          disconnecting === undefined ? undefined : disconnect(disconnecting)
        }
      >
        {disconnecting?.user === undefined
          ? messages.disconnect.ownBody
          : messages.disconnect.body(disconnecting.user.name)}
      </ConfirmDialog>
    </>
  );
}

function AppRow({ app, onDisconnect }: { app: ConnectedApp; onDisconnect: () => void }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const workspace = me?.workspaces.find(({ id }) => id === app.workspaceId);
  const origin = appOrigin(app);
  return (
    <div className="ui-row">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{app.clientName}</span>
          {origin === null ? null : <span className="text-xs text-soft">{origin}</span>}
        </div>
        <ul className="flex flex-wrap gap-1" aria-label={text.scopes}>
          {app.scopes.map((scope) => (
            <li key={scope}>
              <Badge>{scopes[scope]}</Badge>
            </li>
          ))}
        </ul>
        <p className="text-sm text-soft">
          {text.clientId} <code className="font-mono wrap-anywhere">{app.clientId}</code>
        </p>
        <p className="text-sm text-soft">
          {app.user === undefined ? null : text.user(app.user.name, app.user.email)}
          {text.workspace(workspace?.name ?? text.anotherWorkspace)} {text.connected}{" "}
          <When at={app.createdAt} />
          {app.lastUsedAt === null ? (
            text.neverUsed
          ) : (
            <>
              {text.lastUsed} <When at={app.lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <Button aria-label={text.disconnectLabel(app.clientName)} onPress={onDisconnect}>
        {text.disconnect}
      </Button>
    </div>
  );
}

/** The origin of an app: the host of a client ID that is a URL, or else the URI that the app claims, which can be anything. */
function appOrigin({ clientId, clientUri }: ConnectedApp): string | null {
  return clientId.startsWith("https://") ? new URL(clientId).host : clientUri;
}
