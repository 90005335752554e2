/** Texts of the catalog of public tools. */
export const messages = {
  title: "Catalog",
  lead: "Public tools of all workspaces on this server. An installed tool runs in this workspace with its credentials, and stays on its version until you accept an update.",
  search: "Search catalog",
  searchPlaceholder: "Name or description. Press / to search",
  buildersInstall: "Only builders and admins can install tools.",
  list: "Public tools",
  emptyTitle: "No public tools",
  empty: "To add a tool to the catalog, make it public on its Sharing tab.",
  noMatchTitle: "No matching tools",
  noMatch: (query: string) => `No public tool matches “${query}”. Try other words.`,
  installed: "Installed",
  ownWorkspace: "From this workspace",
  open: "Open",
  openNamed: (title: string) => `Open ${title}`,
} as const;
