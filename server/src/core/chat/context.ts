import type { AgentsContext } from "#core/agents";
import type { WorkspacesContext } from "#core/workspaces";
import type { Chat } from "./chat.ts";

export type ChatContext = WorkspacesContext &
  AgentsContext & {
    /** Chat platforms, the language model and the worker. */
    chat: Chat;
  };
