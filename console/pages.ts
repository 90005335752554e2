/** Below this are the console's scripts and styles. Their names change with what is in them. */
export const assetsPath = "/console";

/** The first parts of the addresses that are pages of the console; all else is another door's. */
export const pageRoots: readonly string[] = [
  "",
  "tools",
  "catalog",
  "drafts",
  "runs",
  "credentials",
  "api-keys",
  "install",
  "connected-apps",
  "members",
  "settings",
  "audit",
  "profile",
  "reference",
];
