import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Alert } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { Bell, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { itemQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { ConfirmDialog } from "#components/dialog";
import { EmptyState, Page, ProblemNote, Skeleton } from "#components/page";
import { RoleRequired } from "#components/role-required";
import { showToast } from "#components/toasts";
import { AlertDialog } from "./alert-dialog.tsx";
import { AlertRow } from "./alert-row.tsx";
import { messages } from "./messages.ts";

/** The open dialog. */
type Action = { what: "create" } | { what: "edit" | "delete"; alert: Alert };

const refreshMs = 10_000;
const onError = (problem: unknown) => showToast(errorMessage(problem), "bad");

/** The alerts of the workspace, for admins. */
export function AlertsPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [action, setAction] = useState<Action>();
  if (me === undefined) return null;
  if (!mayDo(me.workspace.role, "alerts:manage")) {
    return <RoleRequired page={messages.title} right="alerts:manage" />;
  }
  const close = () => setAction(undefined);
  return (
    <Page
      title={messages.title}
      lead={messages.lead}
      actions={
        <Button look="primary" onPress={() => setAction({ what: "create" })}>
          <Plus size={16} aria-hidden />
          {messages.create}
        </Button>
      }
    >
      <AlertList onAction={setAction} />
      {action?.what === "create" ? <AlertDialog onClose={close} /> : null}
      {action?.what === "edit" ? <AlertDialog alert={action.alert} onClose={close} /> : null}
      {action?.what === "delete" ? <DeleteDialog alert={action.alert} onClose={close} /> : null}
    </Page>
  );
}

function AlertList({ onAction }: { onAction: (action: Action) => void }): ReactNode {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    ...itemQuery("/alerts"),
    refetchInterval: refreshMs,
  });
  const onSettled = () => client.invalidateQueries({ queryKey: ["alerts"] });
  const { mutate: enable } = useMutation({
    mutationFn: ({ id, enabled }: Alert) =>
      api.send("PATCH /alerts/{id}", { params: { id }, body: { enabled: !enabled } }),
    onSuccess: ({ enabled }) =>
      showToast(enabled ? messages.row.isEnabled : messages.row.isDisabled),
    onError,
    onSettled,
  });
  const { mutate: test } = useMutation({
    mutationFn: ({ id }: Alert) => api.send("POST /alerts/{id}/test", { params: { id } }),
    onSuccess: () => showToast(messages.row.tested),
    onError,
    onSettled,
  });
  if (data === undefined) {
    return error === null ? (
      <Skeleton />
    ) : (
      <ProblemNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0) {
    return (
      <EmptyState icon={Bell} title={messages.empty.title} hasPageActions>
        {messages.empty.body}
      </EmptyState>
    );
  }
  return (
    <ul
      aria-label={messages.list}
      className="divide-y divide-line rounded-xl border border-line bg-paper"
    >
      {data.map((alert) => (
        <li key={alert.id}>
          <AlertRow
            alert={alert}
            onTest={() => test(alert)}
            onEnable={() => enable(alert)}
            onAction={(what) => onAction({ what, alert })}
          />
        </li>
      ))}
    </ul>
  );
}

function DeleteDialog({
  alert: { id, name },
  onClose,
}: {
  alert: Alert;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={messages.delete.title(name)}
      action={messages.delete.action}
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        await api.send("DELETE /alerts/{id}", { params: { id } });
        await client.invalidateQueries({ queryKey: ["alerts"] });
        showToast(messages.delete.deleted);
      }}
    >
      {messages.delete.body}
    </ConfirmDialog>
  );
}
