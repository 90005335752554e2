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
import { showToast } from "./toasts.tsx";
import { useToolActions } from "./use-tool-actions.tsx";

type MenuProps = {
  tool: Pick<Tool, "name" | "title">;
  rights: ToolRights;
  /** Done when the tool is no longer here. */
  onGone?: () => void;
};

/** The actions on a tool that are not wanted every time. Nothing is shown to whoever may do none of them. */
export function ToolMenu({ tool, rights, onGone }: MenuProps): ReactNode {
  const { name, title } = tool;
  const [asked, setAsked] = useState<"archive" | "uninstall">();
  const { edit, duplicate } = useToolActions();
  const navigate = useNavigate();
  const openSharing = () =>
    void navigate({ to: "/tools/$name", params: { name }, search: { tab: "sharing" } });
  const icon = { size: 16, "aria-hidden": true };
  const all: (MenuEntry | false)[] = [
    rights.edit && {
      id: "edit",
      label: "Edit",
      icon: <Pencil {...icon} />,
      onAction: () => edit(name),
    },
    rights.duplicate && {
      id: "duplicate",
      label: "Duplicate",
      icon: <Copy {...icon} />,
      onAction: () => duplicate(name),
    },
    rights.archive && {
      id: "share",
      label: "Share",
      icon: <Share2 {...icon} />,
      onAction: openSharing,
    },
    rights.archive && {
      id: "archive",
      label: "Archive",
      icon: <Archive {...icon} />,
      isDangerous: true,
      onAction: () => setAsked("archive"),
    },
    rights.uninstall && {
      id: "uninstall",
      label: "Uninstall",
      icon: <PackageMinus {...icon} />,
      isDangerous: true,
      onAction: () => setAsked("uninstall"),
    },
  ];
  const entries = all.filter((entry) => entry !== false);
  if (entries.length === 0) return null;
  return (
    <>
      <Menu
        label={`Actions for ${title}`}
        entries={entries}
        trigger={
          <IconButton label={`More for ${title}`}>
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
      />
      <RemoveDialog
        tool={tool}
        asked={asked}
        onClose={() => setAsked(undefined)}
        {...(onGone === undefined ? {} : { onGone })}
      />
    </>
  );
}

function RemoveDialog({
  tool: { name, title },
  asked,
  onClose,
  onGone,
}: {
  tool: MenuProps["tool"];
  asked: "archive" | "uninstall" | undefined;
  onClose: () => void;
  onGone?: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [shown, setShown] = useState(asked);
  // What it says stays while it closes.
  if (asked !== undefined && asked !== shown) setShown(asked);
  const isArchive = shown === "archive";
  return (
    <ConfirmDialog
      title={`${isArchive ? "Archive" : "Uninstall"} ${title}?`}
      action={isArchive ? "Archive" : "Uninstall"}
      isOpen={asked !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        await (isArchive
          ? api.send("DELETE /tools/{name}", { params: { name } })
          : api.send("DELETE /tools/{name}/install", { params: { name } }));
        showToast(isArchive ? `${title} is archived.` : `${title} is uninstalled.`);
        onGone?.();
        client.removeQueries({ queryKey: ["tools", name] });
        await client.invalidateQueries({ queryKey: ["tools"] });
        await client.invalidateQueries({ queryKey: ["skills"] });
      }}
    >
      {isArchive
        ? "Nobody can run or find it any more, also in workspaces that installed it. The records of its runs stay. This cannot be undone."
        : "Nobody in this workspace can run it any more. The records of its runs stay, and you can install it again."}
    </ConfirmDialog>
  );
}
