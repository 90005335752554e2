import { useQueryClient } from "@tanstack/react-query";
import type { Me, Member } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { ConfirmDialog } from "#components/dialog";
import { showToast } from "#components/toasts";

export type MemberAction = { what: "remove" | "leave" | "transfer" | "promote"; member: Member };

/** What is asked before somebody goes, or owns the workspace. */
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
  const who = name || email;
  const memberPath = `/workspaces/${id}/members/${userId}`;
  const remove = async () => {
    await send("DELETE", memberPath);
    await client.invalidateQueries({ queryKey: ["workspaces", id] });
    showToast(`${who} is removed`);
  };
  const leave = async () => {
    await send("DELETE", memberPath);
    // What was read of it is no longer theirs to see. The page then finds that they left, and chooses another workspace.
    location.assign("/");
  };
  const transfer = async () => {
    await send("POST", `/workspaces/${id}/transfer`, { body: { userId } });
    await client.invalidateQueries();
    showToast(`${who} owns ${workspace} now`);
  };
  const promote = async () => {
    await send("PATCH", memberPath, { body: { role: "owner" } });
    await client.invalidateQueries({ queryKey: ["workspaces", id] });
    showToast(`${who} is owner now`);
  };
  const dialogs = {
    remove: {
      title: `Remove ${who}?`,
      action: "Remove",
      cancel: "Keep them",
      onConfirm: remove,
      words:
        "Their API keys, connected apps, own credentials and runs in this workspace end at once. Tools that they shared stay.",
    },
    leave: {
      title: `Leave ${workspace}?`,
      action: "Leave",
      cancel: "Stay",
      onConfirm: leave,
      words:
        "Your API keys, connected apps, own credentials and runs in this workspace end at once. Tools that you shared stay; private ones nobody sees any more.",
    },
    transfer: {
      title: `Hand ${workspace} over to ${who}?`,
      action: "Hand it over",
      cancel: "Not now",
      onConfirm: transfer,
      words: "They become an owner, and you an admin. Only they can take that back.",
    },
    promote: {
      title: `Make ${who} an owner?`,
      action: "Make them an owner",
      cancel: "Not now",
      onConfirm: promote,
      words: `They may do all that you may: also delete ${workspace}, and remove you.`,
    },
  };
  const { words, ...dialog } = dialogs[action.what];
  return (
    <ConfirmDialog {...dialog} isOpen onClose={onClose}>
      {words}
    </ConfirmDialog>
  );
}
