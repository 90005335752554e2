import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ConnectedApp } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { allItemsQuery, meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { DataTable } from "#components/data-table";
import { ConfirmDialog } from "#components/dialog";
import { EmptyState, Page } from "#components/page";
import { sortItems } from "#components/table-column";
import type { Sorting } from "#components/table-column";
import { Tabs } from "#components/tabs";
import { showToast } from "#components/toasts";
import { itemsOf } from "#components/use-paged-items";
import { appColumns } from "./app-columns.tsx";
import { messages } from "./messages.ts";

const route = getRouteApi("/connected-apps");

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
  const { data: me } = useQuery(meQuery);
  const [disconnecting, setDisconnecting] = useState<ConnectedApp>();
  const [sorting, setSorting] = useState<Sorting>();
  const found = itemsOf(useQuery(allItemsQuery("/connected-apps", { query: { owner } })));
  const columns = appColumns({
    isOfAll: owner === "anyone",
    workspaceOf: (id) => me?.workspaces.find((one) => one.id === id)?.name,
    onDisconnect: setDisconnecting,
  });
  const disconnect = async ({ id, clientName }: ConnectedApp) => {
    await api.send("DELETE /connected-apps/{id}", { params: { id } });
    await client.invalidateQueries({ queryKey: ["connected-apps"] });
    showToast(messages.disconnect.disconnected(clientName));
  };
  return (
    <>
      <DataTable
        id="connected-apps"
        label={messages.list}
        columns={columns}
        noun={messages.noun}
        found={{ ...found, items: sortItems(found.items, columns, sorting) }}
        idOf={({ id }) => id}
        sorting={sorting}
        onSort={setSorting}
        empty={children}
      />
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
