import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ConnectedApp } from "@toolhost/contract";
import { AppWindow } from "lucide-react";
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
import { showToast } from "#components/toasts";
import { itemsOf } from "#components/use-paged-items";
import { appColumns } from "./app-columns.tsx";
import { messages } from "./messages.ts";

/** The user's connected apps in all of their workspaces. */
export function ConnectedAppsPage(): ReactNode {
  return (
    <Page title={messages.title} lead={messages.lead}>
      <AppList />
    </Page>
  );
}

function AppList(): ReactNode {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const [disconnecting, setDisconnecting] = useState<ConnectedApp>();
  const [sorting, setSorting] = useState<Sorting>();
  const found = itemsOf(useQuery(allItemsQuery("/connected-apps", { query: { owner: "me" } })));
  const columns = appColumns({
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
        empty={
          <EmptyState
            title={messages.empty.title}
            icon={AppWindow}
            action={
              <LinkButton to="/install" look="primary">
                {messages.empty.action}
              </LinkButton>
            }
          >
            {messages.empty.body}
          </EmptyState>
        }
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
        {messages.disconnect.body}
      </ConfirmDialog>
    </>
  );
}
