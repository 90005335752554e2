/**
 * The modules of the core, from the ground up. A module may import lower floors only, types included.
 * The linter reads this list.
 */
export const floors = [
  ["kernel"],
  ["builds", "limits", "validation"],
  ["catalog", "files", "identity"],
  ["oauth-client"],
  ["vault", "webhooks"],
  ["runs"],
  ["agents", "drafts", "stats", "tool-lists"],
  ["imports"],
  ["workspaces"],
  ["chat"],
  ["alerts"],
] as const;
