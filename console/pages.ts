import { join } from "node:path";

/** The folder of the built console. */
export const builtFolder: string = join(import.meta.dirname, "dist");

/** The path of the console's scripts and styles. Their names contain a hash of their content. */
export const assetsPath = "/console";

/** The first path segments of the console's pages. All other paths belong to other interfaces. */
export const pageRoots: readonly string[] = [
  "",
  "tools",
  "catalog",
  "drafts",
  "imports",
  "runs",
  "overview",
  "alerts",
  "credentials",
  "api-keys",
  "install",
  "connected-apps",
  "access",
  "members",
  "settings",
  "webhooks",
  "audit",
  "profile",
  "reference",
];
