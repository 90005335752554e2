import { useQueryClient } from "@tanstack/react-query";
import type { Tool } from "@toolhost/contract";
import { Archive, Copy, Ellipsis, PackageMinus, Pencil, Share2 } from "lucide-react";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import type { ToolRights } from "#lib/rights";
import { IconButton } from "./button.tsx";
import { ConfirmDialog } from "./dialog.tsx";
import { Menu } from "./menu.tsx";
import type { MenuEntry } from "./menu.tsx";
import { messages as allMessages } from "./messages-tool.ts";
import { showToast } from "./toasts.tsx";
import { useToolActions } from "./use-tool-actions.tsx";

const messages = allMessages.menu;

type MenuProps = {
  tool: Pick<Tool, "name" | "title">;
  rights: ToolRights;
  /** Called when the tool was archived or uninstalled. */
  onRemoved?: () => void;
};

/** The menu of less frequent actions on a tool. Empty for people who may do none of them. */
export function ToolMenu({ tool, rights, onRemoved }: MenuProps): ReactNode {
  const { name, title } = tool;
  const [pending, setPending] = useState<"archive" | "uninstall">();
  const { edit, duplicate } = useToolActions();
  const navigate = useNavigate();
  const openSharing = () =>
    void navigate({ to: "/tools/$name", params: { name }, search: { tab: "sharing" } });
  const icon = { size: 16, "aria-hidden": true };
  const all: (MenuEntry | false)[] = [
    rights.edit && {
      id: "edit",
      label: messages.edit,
      icon: <Pencil {...icon} />,
      onAction: () => edit(name),
    },
    rights.duplicate && {
      id: "duplicate",
      label: messages.duplicate,
      icon: <Copy {...icon} />,
      onAction: () => duplicate(name),
    },
    rights.archive && {
      id: "share",
      label: messages.share,
      icon: <Share2 {...icon} />,
      onAction: openSharing,
    },
    rights.archive && {
      id: "archive",
      label: messages.archive,
      icon: <Archive {...icon} />,
      isDangerous: true,
      onAction: () => setPending("archive"),
    },
    rights.uninstall && {
      id: "uninstall",
      label: messages.uninstall,
      icon: <PackageMinus {...icon} />,
      isDangerous: true,
      onAction: () => setPending("uninstall"),
    },
  ];
  const entries = all.filter((entry) => entry !== false);
  if (entries.length === 0) return null;
  return (
    <>
      <Menu
        label={messages.label(title)}
        entries={entries}
        trigger={
          <IconButton label={messages.open(title)}>
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
      />
      <RemoveDialog
        tool={tool}
        pending={pending}
        onClose={() => setPending(undefined)}
        {...(onRemoved === undefined ? {} : { onRemoved })}
      />
    </>
  );
}

function RemoveDialog({
  tool: { name, title },
  pending,
  onClose,
  onRemoved,
}: {
  tool: MenuProps["tool"];
  pending: "archive" | "uninstall" | undefined;
  onClose: () => void;
  onRemoved?: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [shown, setShown] = useState(pending);
  // The text stays during the closing animation.
  if (pending !== undefined && pending !== shown) setShown(pending);
  const isArchive = shown === "archive";
  return (
    <ConfirmDialog
      title={isArchive ? messages.archiveTitle(title) : messages.uninstallTitle(title)}
      action={isArchive ? messages.archive : messages.uninstall}
      isOpen={pending !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        await (isArchive
          ? api.send("DELETE /tools/{name}", { params: { name } })
          : api.send("DELETE /tools/{name}/install", { params: { name } }));
        showToast(isArchive ? messages.archived(title) : messages.uninstalled(title));
        onRemoved?.();
        client.removeQueries({ queryKey: ["tools", name] });
        await client.invalidateQueries({ queryKey: ["tools"] });
        await client.invalidateQueries({ queryKey: ["skills"] });
      }}
    >
      {isArchive ? messages.archiveBody : messages.uninstallBody}
    </ConfirmDialog>
  );
}
