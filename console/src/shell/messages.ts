/** Texts around the pages. */
export const messages = {
  product: "Toolhost",
  skipToContent: "Skip to content",
  openMenu: "Open menu",
  closeMenu: "Close menu",
  offline: "The service can't be reached. Your input is preserved. Reconnecting…",
  signOutFailed: "Couldn't sign out: the service can't be reached. You are still signed in.",

  navigation: {
    label: "Pages",
    groups: { build: "Build", operate: "Operate", workspace: "Workspace" },
    tools: "Tools",
    overview: "Overview",
    drafts: "Drafts",
    catalog: "Catalog",
    imports: "Imports",
    runs: "Runs",
    credentials: "Credentials",
    install: "Connect agents",
    members: "Members",
    alerts: "Alerts",
    audit: "Audit log",
    settings: "Settings",
    reference: "API reference",
    access: "Access",
    apiKeys: "API keys",
    connectedApps: "Connected apps",
    webhooks: "Webhooks",
    profile: "Profile",
  },

  workspaces: {
    label: "Workspace",
    create: "Create workspace…",
  },

  profileMenu: {
    label: "Profile",
    button: "Profile of",
    signOut: "Sign out",
    theme: (current: string, next: string) => `Theme: ${current} (switch to ${next})`,
    themes: { system: "system", light: "light", dark: "dark" },
  },

  openPalette: "Go to…",
  shortcuts: {
    title: "Keyboard shortcuts",
    palette: "Go to a page, tool or action",
    search: "Search this page",
    rows: "Move between results",
    run: "Run the draft",
    save: "Save the draft",
    sheet: "Show this list",
    complete: "Code: complete",
    fix: "Code: show quick fixes",
    problem: "Code: go to the next problem",
    explain: "Code: show type and documentation",
    define: "Code: go to definition",
    uses: "Code: select all uses",
    rename: "Code: rename",
    find: "Code: find and replace",
    comment: "Code: comment lines",
    format: "Code: format",
  },

  noWorkspace: {
    title: "You're not in a workspace",
    cardTitle: "New workspace",
    name: "Workspace name",
    create: "Create workspace",
    signOut: "Sign out",
    invitationHint: "If you were invited to a workspace, open the link in your invitation.",
  },

  notFound: {
    page: "Page not found",
    title: "This page doesn't exist",
    body: "The address may be mistyped, or the page may have been removed.",
    action: "Go to tools",
  },

  pageError: "This page failed to load",
} as const;
