import type { Via } from "@toolhost/contract";

/** Through which door a run was asked for, after the name of who did. */
export const viaLabels: Readonly<Record<Via, string>> = {
  rest: "by REST",
  mcp: "by MCP",
  bot: "in a chat",
  console: "in the console",
  schedule: "by schedule",
};
