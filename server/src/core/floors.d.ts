/**
 * The modules of the core, from the ground up. A module may use those on lower floors, types included, and none beside it.
 * The linter reads this list.
 */
export declare const floors: readonly [
  readonly ["kernel"],
  readonly ["builds", "limits", "validation"],
  readonly ["catalog", "files", "identity"],
  readonly ["oauth-client"],
  readonly ["vault"],
  readonly ["runs"],
  readonly ["agents", "drafts"],
  readonly ["workspaces"],
  readonly ["chat"],
];
