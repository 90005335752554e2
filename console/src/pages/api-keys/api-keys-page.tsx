import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiKey } from "@toolhost/contract";
import { Plus, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { allItemsQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { DataTable } from "#components/data-table";
import { ConfirmDialog } from "#components/dialog";
import { EmptyState, Page } from "#components/page";
import { sortItems } from "#components/table-column";
import type { Sorting } from "#components/table-column";
import { showToast } from "#components/toasts";
import { itemsOf } from "#components/use-paged-items";
import { keyColumns } from "./key-columns.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { messages } from "./messages.ts";

/** The user's API keys in this workspace. */
export function ApiKeysPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [isCreating, setCreating] = useState(false);
  const createButton = (
    <Button look="primary" onPress={() => setCreating(true)}>
      <Plus size={16} aria-hidden />
      {messages.create}
    </Button>
  );
  return (
    <Page title={messages.title} lead={messages.lead} actions={createButton}>
      <KeyList />
      {isCreating ? (
        <CreateKeyDialog allowed={me?.scopes ?? []} onClose={() => setCreating(false)} />
      ) : null}
    </Page>
  );
}

function KeyList(): ReactNode {
  const client = useQueryClient();
  const [revoking, setRevoking] = useState<ApiKey>();
  const [sorting, setSorting] = useState<Sorting>();
  const [now] = useState(() => Date.now());
  const found = itemsOf(useQuery(allItemsQuery("/api-keys", { query: { owner: "me" } })));
  const columns = keyColumns({
    now,
    onRevoke: setRevoking,
  });
  const revoke = async (key: ApiKey) => {
    await api.send("DELETE /api-keys/{id}", { params: { id: key.id } });
    await client.invalidateQueries({ queryKey: ["api-keys"] });
    showToast(messages.revoke.revoked(key.name));
  };
  return (
    <>
      <DataTable
        id="api-keys"
        label={messages.list}
        columns={columns}
        noun={messages.noun}
        found={{ ...found, items: sortItems(found.items, columns, sorting) }}
        idOf={({ id }) => id}
        sorting={sorting}
        onSort={setSorting}
        empty={
          <EmptyState icon={SquareTerminal} title={messages.empty.title}>
            {messages.empty.body}
          </EmptyState>
        }
      />
      <ConfirmDialog
        title={messages.revoke.title(revoking?.name ?? messages.revoke.thisKey)}
        action={messages.revoke.action}
        isOpen={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        onConfirm={async () => (revoking === undefined ? undefined : revoke(revoking))}
      >
        {messages.revoke.body}
      </ConfirmDialog>
    </>
  );
}
