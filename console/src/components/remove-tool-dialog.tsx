import { useQueryClient } from "@tanstack/react-query";
import type { Tool } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { ConfirmDialog } from "./dialog.tsx";
import { messages as allMessages } from "./messages-tool.ts";
import { showToast } from "./toasts.tsx";
import { useRestoreTools } from "./use-restore-tools.tsx";

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
  const { showArchived, refresh } = useRestoreTools();
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
        if (isArchive) showArchived([{ name, title }]);
        else showToast(messages.uninstalled(title));
        onRemoved?.();
        client.removeQueries({ queryKey: ["tools", name] });
        await refresh();
      }}
    >
      {isArchive ? messages.archiveBody : messages.uninstallBody}
    </ConfirmDialog>
  );
}
