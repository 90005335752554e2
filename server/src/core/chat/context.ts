import type { AgentsContext } from "#core/agents";
import type { WorkspacesContext } from "#core/workspaces";
import type { Chat } from "./chat.ts";

export type ChatContext = WorkspacesContext &
  AgentsContext & {
    /** Chat platforms, and what answers there. */
    chat: Chat;
  };
