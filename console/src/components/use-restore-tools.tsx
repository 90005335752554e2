import { useQueryClient } from "@tanstack/react-query";
import type { Tool } from "@toolhost/contract";
import { api } from "#api/client";
import { workspaceHeaders } from "#api/current-workspace";
import { errorMessage, isPermanentError } from "#api/problem";
import { messages as allMessages } from "./messages-tool.ts";
import { showToast } from "./toasts.tsx";
import type { Toast } from "./toasts.tsx";

const messages = allMessages.menu;

type NamedTool = Pick<Tool, "name" | "title">;

type RestoreTools = {
  /** Restores archived tools one after another. A toast says which could not be restored, and offers to try those again. */
  restore: (tools: readonly NamedTool[]) => Promise<void>;
  /** Shows that tools were archived, with a button that restores them. */
  showArchived: (tools: readonly NamedTool[]) => void;
  /** The button alone, for a toast with another text. */
  undo: (tools: readonly NamedTool[]) => Toast["action"];
  /** Refetches what lists tools. */
  refresh: () => Promise<void>;
};

/** What takes the archiving of tools back. */
export function useRestoreTools(): RestoreTools {
  const client = useQueryClient();
  const refresh = async () => {
    for (const key of ["tools", "tags", "archived-tools", "skills"]) {
      await client.invalidateQueries({ queryKey: [key] });
    }
  };
  const restore = async (tools: readonly NamedTool[], headers = workspaceHeaders()) => {
    const failed: { tool: NamedTool; error: unknown }[] = [];
    for (const tool of tools) {
      const params = { name: tool.name };
      await api
        .send("POST /archived-tools/{name}/restore", { params, headers })
        .catch((error: unknown) => failed.push({ tool, error }));
    }
    const [first] = failed;
    if (first === undefined) showToast(messages.restored(nameTools(tools)));
    else {
      const reason = errorMessage(first.error);
      const text = messages.notRestored(nameTools(failed.map(({ tool }) => tool)), reason);
      const again = failed.filter(({ error }) => !isPermanentError(error));
      const onPress = () =>
        void restore(
          again.map(({ tool }) => tool),
          headers,
        );
      showToast(
        text,
        "bad",
        again.length === 0 ? undefined : { label: messages.tryAgain, onPress },
      );
    }
    await refresh();
  };
  const undo = (tools: readonly NamedTool[]) => {
    // The toast stays when another workspace is selected.
    const headers = workspaceHeaders();
    const onPress = () => void restore(tools, headers);
    return tools.length === 0 ? undefined : { label: messages.undo, onPress };
  };
  return {
    restore,
    undo,
    refresh,
    showArchived: (tools) => showToast(messages.archived(nameTools(tools)), "good", undo(tools)),
  };
}

/** The title of one tool, or how many there are. */
function nameTools(tools: readonly NamedTool[]): string {
  const [only] = tools;
  return only === undefined || tools.length > 1 ? messages.count(tools.length) : only.title;
}
