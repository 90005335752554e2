import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Me } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { memberName, membersQuery } from "#api/members";
import { allItemsQuery, meQuery } from "#api/queries";
import { DataTable } from "#components/data-table";
import { ConfirmDialog } from "#components/dialog";
import { EmptyState, Page } from "#components/page";
import { RoleRequired } from "#components/role-required";
import { sortItems } from "#components/table-column";
import type { Sorting } from "#components/table-column";
import { showToast } from "#components/toasts";
import { itemsOf } from "#components/use-paged-items";
import { accessColumns, toAccess } from "./access-columns.tsx";
import type { Access } from "./access-columns.tsx";
import { messages } from "./messages.ts";

/** The API keys and connected apps of all members, for admins. */
export function AccessPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  if (me === undefined) return null;
  const missing = (["keys:oversee", "apps:oversee"] as const).find(
    (right) => !mayDo(me.workspace.role, right),
  );
  if (missing !== undefined) {
    return (
      <RoleRequired page={messages.title} right={missing}>
        {messages.ownAccess}
      </RoleRequired>
    );
  }
  return (
    <Page title={messages.title} lead={messages.lead}>
      <AccessList me={me} />
    </Page>
  );
}

const query = { owner: "anyone" } as const;

function AccessList({ me }: { me: Me }): ReactNode {
  const client = useQueryClient();
  const [revoking, setRevoking] = useState<Access>();
  const [sorting, setSorting] = useState<Sorting>();
  const [now] = useState(() => Date.now());
  const { data: members } = useQuery(membersQuery(me.workspace.id));
  const foundKeys = useQuery(allItemsQuery("/api-keys", { query }));
  const foundApps = useQuery(allItemsQuery("/connected-apps", { query }));
  const [keys, apps] = [itemsOf(foundKeys), itemsOf(foundApps)];
  const isLoaded = foundKeys.data !== undefined && foundApps.data !== undefined;
  const columns = accessColumns(now, setRevoking);
  const all = toAccess(keys.items, apps.items, (userId) => memberName(members, me, userId));
  const found = {
    ...keys,
    // One kind alone would look like the complete list.
    items: isLoaded ? sortItems(all, columns, sorting) : [],
    isPending: !isLoaded && keys.error === null && apps.error === null,
    error: keys.error ?? apps.error,
    retry: () => {
      keys.retry();
      apps.retry();
    },
  };
  const revoke = async ({ kind, id, name }: Access) => {
    const params = { id };
    if (kind === "key") await api.send("DELETE /api-keys/{id}", { params });
    else await api.send("DELETE /connected-apps/{id}", { params });
    await client.invalidateQueries({ queryKey: [kind === "key" ? "api-keys" : "connected-apps"] });
    showToast(messages.revoke.done(name));
  };
  return (
    <>
      <DataTable
        id="access"
        label={messages.list}
        noun={messages.noun}
        columns={columns}
        found={found}
        idOf={({ id }) => id}
        sorting={sorting}
        onSort={setSorting}
        empty={<EmptyState title={messages.empty.title}>{messages.empty.body}</EmptyState>}
      />
      {revoking === undefined ? null : (
        <ConfirmDialog
          title={messages.revoke.title(revoking.name)}
          action={messages.revoke.action}
          isOpen
          onClose={() => setRevoking(undefined)}
          onConfirm={() => revoke(revoking)}
        >
          {messages.revoke.body(revoking.owner)}
        </ConfirmDialog>
      )}
    </>
  );
}
