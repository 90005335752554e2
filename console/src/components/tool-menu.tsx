import type { Tool } from "@toolhost/contract";
import { Archive, Copy, Ellipsis, FolderDown, PackageMinus, Pencil, Share2 } from "lucide-react";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { lazy, useState } from "react";
import { errorMessage } from "#api/problem";
import { loadChunk } from "#lib/load-chunk";
import type { ToolRights } from "#lib/rights";
import { IconButton } from "./button.tsx";
import { LazyPart } from "./lazy-part.tsx";
import { Menu } from "./menu.tsx";
import type { MenuEntry } from "./menu.tsx";
import { messages as allMessages } from "./messages-tool.ts";
import { showToast } from "./toasts.tsx";
import { useToolActions } from "./use-tool-actions.tsx";

const messages = allMessages.menu;

// Loaded on demand, because most visits remove no tool.
const RemoveToolDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./remove-tool-dialog.tsx"))).RemoveToolDialog,
}));

type MenuProps = {
  tool: Pick<Tool, "name" | "title">;
  rights: ToolRights;
  /** Called when the tool was archived or uninstalled. */
  onRemoved?: () => void;
};

async function exportAsFolder(name: string): Promise<void> {
  try {
    const { exportTool } = await loadChunk(() => import("#lib/export-tool"));
    await exportTool(name);
  } catch (error) {
    showToast(errorMessage(error), "bad");
  }
}

/** The menu of less frequent actions on a tool. Empty for people who may do none of them. */
export function ToolMenu({ tool, rights, onRemoved }: MenuProps): ReactNode {
  const { name, title } = tool;
  // Stays after the dialog was closed, so that its text is shown during the closing animation.
  const [removal, setRemoval] = useState<{ kind: "archive" | "uninstall"; isOpen: boolean }>();
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
    rights.duplicate && {
      id: "export",
      label: messages.export,
      icon: <FolderDown {...icon} />,
      onAction: () => void exportAsFolder(name),
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
      onAction: () => setRemoval({ kind: "archive", isOpen: true }),
    },
    rights.uninstall && {
      id: "uninstall",
      label: messages.uninstall,
      icon: <PackageMinus {...icon} />,
      isDangerous: true,
      onAction: () => setRemoval({ kind: "uninstall", isOpen: true }),
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
      {removal === undefined ? null : (
        <LazyPart lines={0}>
          <RemoveToolDialog
            tool={tool}
            {...removal}
            onClose={() => setRemoval({ ...removal, isOpen: false })}
            {...(onRemoved === undefined ? {} : { onRemoved })}
          />
        </LazyPart>
      )}
    </>
  );
}
