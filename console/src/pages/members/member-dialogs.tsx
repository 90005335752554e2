import { useQueryClient } from "@tanstack/react-query";
import type { Me, Member } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { ConfirmDialog } from "#components/dialog";
import { showToast } from "#components/toasts";
import { messages } from "./messages.ts";

export type MemberAction = { what: "remove" | "leave" | "transfer" | "promote"; member: Member };

const text = messages.dialogs;

/** Confirmations before a member is removed, leaves, or becomes an owner. */
export function MemberDialogs({
  me,
  action,
  onClose,
}: {
  me: Me;
  action: MemberAction | undefined;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  if (action === undefined) return null;
  const { id, name: workspace } = me.workspace;
  const { userId, name, email } = action.member;
  const memberLabel = name || email;
  const params = { id, userId };
  const remove = async () => {
    await api.send("DELETE /workspaces/{id}/members/{userId}", { params });
    await client.invalidateQueries({ queryKey: ["workspaces", id] });
    showToast(text.remove.done(memberLabel));
  };
  const leave = async () => {
    await api.send("DELETE /workspaces/{id}/members/{userId}", { params });
    // A full page load drops everything cached from the workspace, and selects another.
    location.assign("/");
  };
  const transfer = async () => {
    await api.send("POST /workspaces/{id}/transfer", { params: { id }, body: { userId } });
    await client.invalidateQueries();
    showToast(text.transfer.done(workspace, memberLabel));
  };
  const promote = async () => {
    await api.send("PATCH /workspaces/{id}/members/{userId}", { params, body: { role: "owner" } });
    await client.invalidateQueries({ queryKey: ["workspaces", id] });
    showToast(text.promote.done(memberLabel));
  };
  const dialogs = {
    remove: {
      title: text.remove.title(memberLabel),
      action: text.remove.action,
      onConfirm: remove,
      body: text.remove.body,
    },
    leave: {
      title: text.leave.title(workspace),
      action: text.leave.action,
      onConfirm: leave,
      body: text.leave.body,
    },
    transfer: {
      title: text.transfer.title(workspace, memberLabel),
      action: text.transfer.action,
      onConfirm: transfer,
      body: text.transfer.body,
    },
    promote: {
      title: text.promote.title(memberLabel),
      action: text.promote.action,
      onConfirm: promote,
      body: text.promote.body(workspace),
    },
  };
  const { body, ...dialog } = dialogs[action.what];
  return (
    <ConfirmDialog {...dialog} isOpen onClose={onClose}>
      {body}
    </ConfirmDialog>
  );
}
