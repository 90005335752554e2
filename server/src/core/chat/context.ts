import type { WorkspacesContext } from "#core/workspaces";
import type { Chat } from "./chat.ts";

export type ChatContext = WorkspacesContext & {
  /** Chat platforms, the language model and the worker. */
  chat: Chat;
};
