/** Texts of the command palette. */
export const messages = {
  title: "Go to a page or tool",
  placeholder: "Search pages and tools",
  results: "Results",
  menu: "Pages and tools",
  noResults: "No results",
  pages: "Pages",
  tools: "Tools",
  actionsTitle: "Actions",
  actions: {
    run: "Open this run",
    runTool: (title: string) => `Run ${title}`,
    workspace: (name: string) => `Switch to ${name}`,
    themes: {
      system: "Use the system theme",
      light: "Use the light theme",
      dark: "Use the dark theme",
    },
    shortcuts: "Keyboard shortcuts",
  },
  createTool: "Create tool",
  catalog: "Catalog",

  /** Further search terms for the pages. */
  keywords: {
    createTool: "new build write draft template",
    tools: "home start",
    overview: "dashboard statistics charts usage failures",
    imports: "openapi swagger mcp server changes hold",
    runs: "log history",
    catalog: "public install",
    credentials: "secrets",
    apiKeys: "token",
    install: "install client mcp",
    connectedApps: "oauth",
    access: "api keys connected apps of all members revoke",
    members: "people invite role",
    // check-terms-disable-next-line trail -- People search for "audit trail".
    audit: "events trail",
    settings: "workspace chat retention",
    webhooks: "events notifications http dead letters",
    alerts: "monitoring notifications failure rate email",
    profile: "account password sessions",
    reference: "rest openapi",
  },
} as const;
