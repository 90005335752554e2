import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Alert } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { MoreButton } from "#components/more-button";
import { ConfirmDialog } from "#components/dialog";
import { Menu } from "#components/menu";
import { showToast } from "#components/toasts";
import { AlertDialog } from "./alert-dialog.tsx";
import { messages } from "./messages.ts";

const text = messages.row;
const onError = (problem: unknown) => showToast(errorMessage(problem), "bad");

/** What admins can do with an alert, in its row and on its page. */
export function AlertMenu({
  alert,
  onDeleted,
}: {
  alert: Alert;
  onDeleted?: () => void;
}): ReactNode {
  const { id, name, enabled } = alert;
  const client = useQueryClient();
  const [open, setOpen] = useState<"edit" | "delete">();
  const close = () => setOpen(undefined);
  const onSettled = () => client.invalidateQueries({ queryKey: ["alerts"] });
  const { mutate: enable } = useMutation({
    mutationFn: () =>
      api.send("PATCH /alerts/{id}", { params: { id }, body: { enabled: !enabled } }),
    onSuccess: (changed) => showToast(changed.enabled ? text.isEnabled : text.isDisabled),
    onError,
    onSettled,
  });
  const { mutate: test } = useMutation({
    mutationFn: () => api.send("POST /alerts/{id}/test", { params: { id } }),
    onSuccess: () => showToast(text.tested),
    onError,
    onSettled,
  });
  return (
    <>
      <Menu
        label={text.menu(name)}
        trigger={<MoreButton label={text.menuButton(name)} />}
        entries={[
          { id: "test", label: text.test, onAction: () => test() },
          { id: "edit", label: text.edit, onAction: () => setOpen("edit") },
          { id: "enable", label: enabled ? text.disable : text.enable, onAction: () => enable() },
          {
            id: "delete",
            label: text.delete,
            isDangerous: true,
            onAction: () => setOpen("delete"),
          },
        ]}
      />
      {open === "edit" ? <AlertDialog alert={alert} onClose={close} /> : null}
      {open === "delete" ? (
        <DeleteDialog alert={alert} onClose={close} onDeleted={onDeleted} />
      ) : null}
    </>
  );
}

function DeleteDialog({
  alert: { id, name },
  onClose,
  onDeleted,
}: {
  alert: Alert;
  onClose: () => void;
  onDeleted: (() => void) | undefined;
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
        // The page of the alert is left first, so that it does not request the deleted alert again.
        onDeleted?.();
        await client.invalidateQueries({ queryKey: ["alerts"] });
        showToast(messages.delete.deleted);
      }}
    >
      {messages.delete.body}
    </ConfirmDialog>
  );
}
