import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CreatedCredential, Credential, Tool } from "@toolhost/contract";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { send } from "#api/client";
import { errorMessage } from "#api/problem";
import { itemQuery, listQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { ConfirmDialog } from "#components/dialog";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { showToast } from "#components/toasts";
import { ConnectDialog } from "./connect-dialog.tsx";
import { CredentialDialog } from "./credential-dialog.tsx";
import type { CredentialForm } from "./credential-form.ts";
import { CredentialRow } from "./credential-row.tsx";
import { ExposeDialog } from "./expose-dialog.tsx";
import { toolsByCredential, requiredCredentials } from "./required-credentials.ts";
import { RequiredList } from "./required-list.tsx";

/** What is being done, one thing at a time. */
type Doing =
  | { what: "add"; start: Partial<CredentialForm> }
  | { what: "replace"; credential: Credential }
  | { what: "connect"; credential: CreatedCredential }
  | { what: "expose"; credential: Credential }
  | { what: "delete"; credential: Credential };

/** The secrets that tools use: the person's own and the workspace's. Their values are never shown. */
export function CredentialsPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [doing, setDoing] = useState<Doing>();
  const mayKeep = me?.scopes.includes("credentials:write") === true;
  if (!mayKeep) {
    return (
      <Page title="Credentials">
        <EmptyState title="Your role keeps no credentials">
          Members and everybody above them do. Ask an admin of the workspace for another role.
        </EmptyState>
      </Page>
    );
  }
  const add = (
    <Button look="primary" onPress={() => setDoing({ what: "add", start: {} })}>
      <Plus size={16} aria-hidden />
      New credential
    </Button>
  );
  return (
    <Page
      title="Credentials"
      lead="Secrets that tools use. Your own are used before the workspace's."
      actions={add}
    >
      <Credentials add={add} onDo={setDoing} />
      <Dialogs doing={doing} onDo={setDoing} />
    </Page>
  );
}

function Credentials({ add, onDo }: { add: ReactNode; onDo: (doing: Doing) => void }): ReactNode {
  const query = listQuery<Credential>("/credentials");
  const { data, hasNextPage } = useInfiniteQuery(query);
  const { data: tools = [] } = useQuery(itemQuery<Tool[]>("/tools", { limit: 200 }));
  const { mutate: connect } = useMutation({
    mutationFn: ({ name, owner }: Credential) =>
      send<CreatedCredential>("POST", `/credentials/${name}/connect`, { query: { owner } }),
    onSuccess: (credential) => {
      if (credential.connectUrl === undefined) showToast(`${credential.name} has a new token`);
      else onDo({ what: "connect", credential });
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  const askers = toolsByCredential(tools);
  const known = data?.pages.flatMap(({ items }) => items) ?? [];
  // What stands on a page that was not read yet would be called missing.
  const required = data === undefined || hasNextPage ? [] : requiredCredentials(tools, known);
  return (
    <>
      {required.length === 0 ? null : (
        <RequiredList
          required={required}
          onAdd={({ name, hosts }) =>
            onDo({ what: "add", start: { name, hosts: hosts.join(" ") } })
          }
        />
      )}
      <PagedList
        label="Credentials"
        query={query}
        idOf={({ id }) => id}
        itemHeight={92}
        empty={
          <EmptyState title="No credentials yet" action={add}>
            Keep the key of a service here, and tools can call that service with it. Their code only
            gets a placeholder, which is turned into the secret on the way to the hosts that you
            name.
          </EmptyState>
        }
      >
        {(credential) => (
          <CredentialRow
            credential={credential}
            usedBy={askers.get(credential.name) ?? []}
            onConnect={() => connect(credential)}
            onReplace={() => onDo({ what: "replace", credential })}
            onExpose={() => onDo({ what: "expose", credential })}
            onDelete={() => onDo({ what: "delete", credential })}
          />
        )}
      </PagedList>
    </>
  );
}

function Dialogs({
  doing,
  onDo,
}: {
  doing: Doing | undefined;
  onDo: (doing: Doing | undefined) => void;
}): ReactNode {
  const client = useQueryClient();
  const close = () => onDo(undefined);
  const remove = async ({ name, owner }: Credential) => {
    await send("DELETE", `/credentials/${name}`, { query: { owner } });
    await client.invalidateQueries({ queryKey: ["credentials"] });
    showToast(`${name} is deleted`);
  };
  const afterKeeping = (credential: CreatedCredential) =>
    onDo(credential.connectUrl === undefined ? undefined : { what: "connect", credential });
  switch (doing?.what) {
    case "add":
      return <CredentialDialog start={doing.start} onClose={close} onKept={afterKeeping} />;
    case "replace": {
      const { credential: replaced } = doing;
      const { name, owner, hosts, exposable } = replaced;
      return (
        <CredentialDialog
          start={{ name, owner, hosts: hosts.join(" "), exposable }}
          replaced={replaced}
          onClose={close}
          onKept={close}
        />
      );
    }
    case "expose":
      return <ExposeDialog credential={doing.credential} onClose={close} />;
    case "connect":
      return <ConnectDialog credential={doing.credential} onClose={close} />;
    case "delete":
      return (
        <ConfirmDialog
          title={`Delete ${doing.credential.name}?`}
          action="Delete"
          isOpen
          onClose={close}
          onConfirm={() => remove(doing.credential)}
        >
          Tools that ask for it fail until there is another one. A connection is ended at its
          provider as well.
        </ConfirmDialog>
      );
    default:
      return null;
  }
}
