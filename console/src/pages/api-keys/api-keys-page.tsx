import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ApiKey } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { listQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { ConfirmDialog } from "#components/dialog";
import { EmptyState, Page } from "#components/page";
import { PagedList } from "#components/paged-list";
import { Tabs } from "#components/tabs";
import { showToast } from "#components/toasts";
import { KeyRow } from "./key-row.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

const route = getRouteApi("/api-keys");

/** The person's API keys in this workspace, and for admins everybody's. */
export function ApiKeysPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { owner } = route.useSearch();
  const navigate = route.useNavigate();
  const [isMaking, setMaking] = useState(false);
  const make = (
    <Button look="primary" onPress={() => setMaking(true)}>
      <Plus size={16} aria-hidden />
      New key
    </Button>
  );
  const mine = <KeyList owner="me" make={make} />;
  return (
    <Page
      title="API keys"
      lead="With a key, scripts and agents act in your name in this workspace."
      actions={make}
    >
      {mayDo(me?.workspace.role ?? "", "keys:oversee") ? (
        <Tabs
          label="Whose keys"
          selected={owner ?? "me"}
          onSelect={(id) => void navigate({ search: { owner: id === "me" ? undefined : id } })}
          tabs={[
            { id: "me", label: "Yours", content: mine },
            {
              id: "anyone",
              label: "Everybody's",
              content: <KeyList owner="anyone" make={make} />,
            },
          ]}
        />
      ) : (
        mine
      )}
      {isMaking ? (
        <NewKeyDialog allowed={me?.scopes ?? []} onClose={() => setMaking(false)} />
      ) : null}
    </Page>
  );
}

function KeyList({ owner, make }: { owner: "me" | "anyone"; make: ReactNode }): ReactNode {
  const client = useQueryClient();
  const [revoked, setRevoked] = useState<ApiKey>();
  const revoke = async (key: ApiKey) => {
    await api.send("DELETE /api-keys/{id}", { params: { id: key.id } });
    await client.invalidateQueries({ queryKey: ["api-keys"] });
    showToast(`${key.name} is revoked`);
  };
  return (
    <>
      <PagedList
        label="API keys"
        query={listQuery("/api-keys", { query: { owner } })}
        idOf={({ id }) => id}
        itemHeight={84}
        empty={
          <EmptyState title="No keys yet" action={make}>
            A key lets a script, a server or an agent run your tools without you. It can do no more
            than you chose for it, and ends when you revoke it.
          </EmptyState>
        }
      >
        {(key) => <KeyRow apiKey={key} onRevoke={() => setRevoked(key)} />}
      </PagedList>
      <ConfirmDialog
        title={`Revoke ${revoked?.name ?? "the key"}?`}
        action="Revoke"
        isOpen={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        onConfirm={async () => (revoked === undefined ? undefined : revoke(revoked))}
      >
        Whatever uses it is refused from the next request on. It cannot be brought back.
      </ConfirmDialog>
    </>
  );
}
