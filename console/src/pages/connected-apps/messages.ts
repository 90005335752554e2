/** Texts of the connected apps page. */
export const messages = {
  title: "Connected apps",
  noun: ["connected app", "connected apps"],
  lead: "Agents and apps that you have allowed to use your tools.",
  list: "Connected apps",
  empty: {
    title: "No connected apps yet",
    body: "When you connect Claude, ChatGPT, Cursor or another agent, it appears here with its permissions. You can disconnect it at any time.",
    action: "Connect app",
  },

  row: {
    scopes: "Permissions",
    clientId: "Client ID",
    columns: { app: "App", origin: "Origin", workspace: "Workspace" },
    unverified: (host: string) => `${host} (unverified)`,
    anotherWorkspace: "Another workspace",
    connected: "Connected",
    lastUsed: "Last used",
    disconnect: "Disconnect",
    disconnectLabel: (app: string) => `Disconnect ${app}`,
  },

  disconnect: {
    title: (app: string) => `Disconnect ${app}?`,
    thisApp: "this app",
    action: "Disconnect app",
    body: "Its requests are rejected immediately. To use it again, sign in from the app.",
    disconnected: (app: string) => `${app} disconnected`,
  },
} as const;
