import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Webhook } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { itemQuery, meQuery } from "#api/queries";
import { Button } from "#components/button";
import { ConfirmDialog } from "#components/dialog";
import { FormDialog } from "#components/form-dialog";
import { EmptyState, Page, ProblemNote, Skeleton } from "#components/page";
import { RoleRequired } from "#components/role-required";
import { showToast } from "#components/toasts";
import { messages } from "./messages.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { hostOf, WebhookRow } from "./webhook-row.tsx";

/** The open dialog. */
type Action =
  | { what: "create" }
  | { what: "edit" | "rotate" | "delete"; webhook: Webhook }
  | { what: "secret"; secret: string; isRotated: boolean };

/** The webhooks of the workspace, for admins. */
export function WebhooksPage(): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [action, setAction] = useState<Action>();
  if (me === undefined) return null;
  if (!mayDo(me.workspace.role, "webhooks:manage")) {
    return <RoleRequired page={messages.title} right="webhooks:manage" />;
  }
  const create = (
    <Button look="primary" onPress={() => setAction({ what: "create" })}>
      <Plus size={16} aria-hidden />
      {messages.create}
    </Button>
  );
  return (
    <Page title={messages.title} lead={messages.lead} actions={create}>
      <WebhookList onAction={setAction} />
      <Dialogs action={action} onAction={setAction} />
    </Page>
  );
}

const refreshMs = 10_000;
const onError = (problem: unknown) => showToast(errorMessage(problem), "bad");

function WebhookList({ onAction }: { onAction: (action: Action) => void }): ReactNode {
  const client = useQueryClient();
  const {
    data: webhooks,
    error,
    refetch,
  } = useQuery({ ...itemQuery("/webhooks"), refetchInterval: refreshMs });
  const { mutate: enable } = useMutation({
    mutationFn: ({ id, enabled }: Webhook) =>
      api.send("PATCH /webhooks/{id}", { params: { id }, body: { enabled: !enabled } }),
    onSuccess: ({ enabled }) =>
      showToast(enabled ? messages.row.isEnabled : messages.row.isDisabled),
    onError,
    onSettled: () => client.invalidateQueries({ queryKey: ["webhooks"] }),
  });
  const { mutate: test } = useMutation({
    mutationFn: ({ id }: Webhook) => api.send("POST /webhooks/{id}/test", { params: { id } }),
    onSuccess: ({ status, problem, durationMs }) =>
      problem === null && status !== null
        ? showToast(messages.row.testDelivered(status, durationMs))
        : showToast(messages.row.testFailed(problem ?? ""), "bad"),
    onError,
  });
  if (webhooks === undefined) {
    return error === null ? (
      <Skeleton />
    ) : (
      <ProblemNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (webhooks.length === 0) {
    return (
      <EmptyState icon={WebhookIcon} title={messages.empty.title}>
        {messages.empty.body}
      </EmptyState>
    );
  }
  return (
    <ul
      aria-label={messages.list}
      className="divide-y divide-line rounded-xl border border-line bg-paper"
    >
      {webhooks.map((webhook) => (
        <li key={webhook.id}>
          <WebhookRow
            webhook={webhook}
            onTest={() => test(webhook)}
            onEnable={() => enable(webhook)}
            onAction={(what) => onAction({ what, webhook })}
          />
        </li>
      ))}
    </ul>
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
  const refresh = () => client.invalidateQueries({ queryKey: ["webhooks"] });
  switch (action?.what) {
    case "create":
      return (
        <WebhookDialog
          onClose={close}
          onCreated={(secret) => onAction({ what: "secret", secret, isRotated: false })}
        />
      );
    case "edit":
      return <WebhookDialog webhook={action.webhook} onClose={close} />;
    case "rotate":
      return (
        <RotateDialog
          webhook={action.webhook}
          onClose={close}
          onRotated={(secret) => onAction({ what: "secret", secret, isRotated: true })}
        />
      );
    case "secret":
      return <SecretDialog {...action} onClose={close} />;
    case "delete": {
      const { id } = action.webhook;
      return (
        <ConfirmDialog
          title={messages.delete.title(hostOf(action.webhook))}
          action={messages.delete.action}
          isOpen
          onClose={close}
          onConfirm={async () => {
            await api.send("DELETE /webhooks/{id}", { params: { id } });
            await refresh();
            showToast(messages.delete.deleted);
          }}
        >
          {messages.delete.body}
        </ConfirmDialog>
      );
    }
    default:
      return null;
  }
}

function RotateDialog({
  webhook: { id },
  onClose,
  onRotated,
}: {
  webhook: Webhook;
  onClose: () => void;
  onRotated: (secret: string) => void;
}): ReactNode {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.send("POST /webhooks/{id}/rotate-secret", { params: { id } }),
    onSuccess: ({ secret }) => onRotated(secret),
  });
  return (
    <FormDialog
      title={messages.rotate.title}
      action={messages.rotate.action}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
    >
      <p className="text-sm">{messages.rotate.body}</p>
    </FormDialog>
  );
}
