import { useQueryClient } from "@tanstack/react-query";
import type { Tool } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { errorMessage, isPermanentError } from "#api/problem";
import { ConfirmDialog } from "./dialog.tsx";
import { messages as allMessages } from "./messages-tool.ts";
import { showToast } from "./toasts.tsx";

const messages = allMessages.menu;

/** Asks before it archives a tool, or uninstalls it from the workspace. */
export function RemoveToolDialog({
  tool: { name, title },
  kind,
  isOpen,
  onClose,
  onRemoved,
}: {
  tool: Pick<Tool, "name" | "title">;
  kind: "archive" | "uninstall";
  isOpen: boolean;
  onClose: () => void;
  onRemoved?: () => void;
}): ReactNode {
  const client = useQueryClient();
  const isArchive = kind === "archive";
  const refresh = async () => {
    for (const key of ["tools", "archived-tools", "skills"]) {
      await client.invalidateQueries({ queryKey: [key] });
    }
  };
  const restore = async () => {
    try {
      await api.send("POST /archived-tools/{name}/restore", { params: { name } });
      showToast(messages.restored(title));
    } catch (error) {
      const again = { label: messages.tryAgain, onPress: () => void restore() };
      const retry = isPermanentError(error) ? undefined : again;
      showToast(messages.notRestored(title, errorMessage(error)), "bad", retry);
    }
    await refresh();
  };
  return (
    <ConfirmDialog
      title={isArchive ? messages.archiveTitle(title) : messages.uninstallTitle(title)}
      action={isArchive ? messages.archive : messages.uninstall}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        await (isArchive
          ? api.send("DELETE /tools/{name}", { params: { name } })
          : api.send("DELETE /tools/{name}/install", { params: { name } }));
        if (isArchive) {
          const undo = { label: messages.undo, onPress: () => void restore() };
          showToast(messages.archived(title), "good", undo);
        } else showToast(messages.uninstalled(title));
        onRemoved?.();
        client.removeQueries({ queryKey: ["tools", name] });
        await refresh();
      }}
    >
      {isArchive ? messages.archiveBody : messages.uninstallBody}
    </ConfirmDialog>
  );
}
