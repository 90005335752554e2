import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CreatedCredential, Credential } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { KeyRound, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { allItemsQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { DataTable } from "#components/data-table";
import { ConfirmDialog } from "#components/dialog";
import { EmptyState, Page } from "#components/page";
import { RoleRequired } from "#components/role-required";
import { sortItems } from "#components/table-column";
import type { Sorting } from "#components/table-column";
import { showToast } from "#components/toasts";
import { itemsOf } from "#components/use-paged-items";
import { ConnectDialog } from "./connect-dialog.tsx";
import { CredentialDialog } from "./credential-dialog.tsx";
import type { CredentialForm } from "./credential-form.ts";
import { credentialColumns } from "./credential-columns.tsx";
import { ExposeDialog } from "./expose-dialog.tsx";
import { toolsByCredential, requiredCredentials } from "./required-credentials.ts";
import { RequestList } from "./request-list.tsx";
import { RequiredList } from "./required-list.tsx";
import { messages } from "./messages.ts";

/** The open dialog. */
type Action =
  | { what: "add"; start: Partial<CredentialForm> }
  | { what: "replace"; credential: Credential }
  | { what: "connect"; credential: CreatedCredential }
  | { what: "expose"; credential: Credential }
  | { what: "delete"; credential: Credential };

/** The user's and the workspace's credentials. Their values are never shown. */
export function CredentialsPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [action, setAction] = useState<Action>();
  const canManage = me?.scopes.includes("credentials:write") === true;
  if (!canManage) return <RoleRequired page={messages.title} right="credentials:write" />;
  const add = (
    <Button look="primary" onPress={() => setAction({ what: "add", start: {} })}>
      <Plus size={16} aria-hidden />
      {messages.create}
    </Button>
  );
  return (
    <Page title={messages.title} lead={messages.lead} actions={add}>
      <Credentials onAction={setAction} />
      <Dialogs action={action} onAction={setAction} />
    </Page>
  );
}

function Credentials({ onAction }: { onAction: (action: Action) => void }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [sorting, setSorting] = useState<Sorting>();
  const found = itemsOf(useQuery(allItemsQuery("/credentials")));
  const { data: tools = [] } = useQuery(allItemsQuery("/tools"));
  const { mutate: connect } = useMutation({
    mutationFn: ({ name, owner }: Credential) =>
      api.send("POST /credentials/{name}/connect", { params: { name }, query: { owner } }),
    onSuccess: (credential) => {
      if (credential.connectUrl === undefined)
        showToast(messages.row.tokenRefreshed(credential.name));
      else onAction({ what: "connect", credential });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  const required = found.isPending ? [] : requiredCredentials(tools, found.items);
  const columns = credentialColumns(toolsByCredential(tools), {
    mayChange: ({ owner }) =>
      owner === "user" || mayDo(me?.workspace.role ?? "", "credentials:share"),
    onConnect: connect,
    onReplace: (credential) => onAction({ what: "replace", credential }),
    onExpose: (credential) => onAction({ what: "expose", credential }),
    onDelete: (credential) => onAction({ what: "delete", credential }),
  });
  return (
    <>
      <RequestList />
      {required.length === 0 ? null : (
        <RequiredList
          required={required}
          onAdd={({ name, hosts, resource }) => {
            const from = resource === undefined ? {} : ({ kind: "server", resource } as const);
            onAction({ what: "add", start: { name, hosts: hosts.join("\n"), ...from } });
          }}
        />
      )}
      <DataTable
        id="credentials"
        label={messages.list}
        columns={columns}
        noun={messages.noun}
        found={{ ...found, items: sortItems(found.items, columns, sorting) }}
        idOf={({ id }) => id}
        sorting={sorting}
        onSort={setSorting}
        empty={
          <EmptyState icon={KeyRound} title={messages.empty.title}>
            {messages.empty.body}
          </EmptyState>
        }
      />
    </>
  );
}

function Dialogs({
  action,
  onAction,
}: {
  action: Action | undefined;
  onAction: (action: Action | undefined) => void;
}): ReactNode {
  const client = useQueryClient();
  const close = () => onAction(undefined);
  const remove = async ({ name, owner }: Credential) => {
    await api.send("DELETE /credentials/{name}", { params: { name }, query: { owner } });
    await client.invalidateQueries({ queryKey: ["credentials"] });
    showToast(messages.delete.deleted(name));
  };
  const afterSave = (credential: CreatedCredential) =>
    onAction(credential.connectUrl === undefined ? undefined : { what: "connect", credential });
  switch (action?.what) {
    case "add":
      return <CredentialDialog start={action.start} onClose={close} onSaved={afterSave} />;
    case "replace": {
      const { credential: replaced } = action;
      const { name, owner, hosts, exposable } = replaced;
      return (
        <CredentialDialog
          start={{ name, owner, hosts: hosts.join("\n"), exposable }}
          replaced={replaced}
          onClose={close}
          onSaved={close}
        />
      );
    }
    case "expose":
      return <ExposeDialog credential={action.credential} onClose={close} />;
    case "connect":
      return <ConnectDialog credential={action.credential} onClose={close} />;
    case "delete":
      return (
        <ConfirmDialog
          title={messages.delete.title(action.credential.name)}
          action={messages.delete.action}
          isOpen
          onClose={close}
          onConfirm={() => remove(action.credential)}
        >
          {messages.delete.body}
        </ConfirmDialog>
      );
    default:
      return null;
  }
}
