import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ConnectedApp } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
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
import { scopeLabels } from "#lib/roles";

const route = getRouteApi("/connected-apps");

/** The apps that the person lets act for them in any of their workspaces, and for admins everybody's in this one. */
export function ConnectedAppsPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { owner } = route.useSearch();
  const navigate = route.useNavigate();
  const own = (
    <AppList owner="me">
      <EmptyState
        title="No app is connected"
        action={<LinkButton to="/install">Connect one</LinkButton>}
      >
        When you connect Claude, ChatGPT, Cursor or another agent, it is listed here with what it
        may do, and you can end it at any time.
      </EmptyState>
    </AppList>
  );
  return (
    <Page
      title="Connected apps"
      lead="Agents and apps that you let use your tools by signing in with a browser."
    >
      {mayDo(me?.workspace.role ?? "", "apps:oversee") ? (
        <Tabs
          label="Connected apps of"
          selected={owner ?? "me"}
          onSelect={(id) => void navigate({ search: { owner: id === "me" ? undefined : id } })}
          tabs={[
            { id: "me", label: "Yours", content: own },
            {
              id: "anyone",
              label: "Everyone in this workspace",
              content: (
                <AppList owner="anyone">
                  <EmptyState title="No connected apps">
                    Apps that members connect to this workspace appear here, and you can disconnect
                    them.
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
  const [ended, setEnded] = useState<ConnectedApp>();
  const disconnect = async ({ id, clientName }: ConnectedApp) => {
    await api.send("DELETE /connected-apps/{id}", { params: { id } });
    await client.invalidateQueries({ queryKey: ["connected-apps"] });
    showToast(`${clientName} is disconnected`);
  };
  return (
    <>
      <PagedList
        label="Connected apps"
        query={listQuery("/connected-apps", { query: { owner } })}
        idOf={({ id }) => id}
        itemHeight={96}
        empty={children}
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
        {ended?.user === undefined
          ? "Its next request is refused. To use it again, you sign in from the app once more."
          : `Its next request is refused. To use it again, ${ended.user.name} must sign in from the app.`}
      </ConfirmDialog>
    </>
  );
}

function AppRow({ app, onDisconnect }: { app: ConnectedApp; onDisconnect: () => void }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const workspace = me?.workspaces.find(({ id }) => id === app.workspaceId);
  const home = homeOf(app);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{app.clientName}</span>
          {home === null ? null : <span className="text-xs text-soft">{home}</span>}
        </div>
        <ul className="flex flex-wrap gap-1" aria-label="What it may do">
          {app.scopes.map((scope) => (
            <li key={scope}>
              <Badge>{scopeLabels[scope]}</Badge>
            </li>
          ))}
        </ul>
        <p className="text-sm text-soft">
          Client ID <code className="font-mono wrap-anywhere">{app.clientId}</code>
        </p>
        <p className="text-sm text-soft">
          {app.user === undefined ? null : `${app.user.name} (${app.user.email}). `}
          In {workspace?.name ?? "another workspace"}. Connected <When at={app.createdAt} />, used{" "}
          <When at={app.lastUsedAt} />
        </p>
      </div>
      <Button aria-label={`Disconnect ${app.clientName}`} onPress={onDisconnect}>
        Disconnect
      </Button>
    </div>
  );
}

/** Where an app comes from: for one with an address of its own as ID, that; else what it says, which may be anything. */
function homeOf({ clientId, clientUri }: ConnectedApp): string | null {
  return clientId.startsWith("https://") ? new URL(clientId).host : clientUri;
}
