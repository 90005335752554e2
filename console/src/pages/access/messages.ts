/** Texts of the page about the API keys and connected apps of all members. */
export const messages = {
  title: "Access",
  noun: ["key or app", "keys and apps"],
  lead: "API keys and connected apps of all members.",
  list: "API keys and connected apps",
  ownAccess: "Your own keys and apps are under API keys and Connected apps.",
  empty: {
    title: "No API keys or connected apps",
    body: "API keys that members create and apps that they connect appear here. You can revoke them.",
  },
  columns: {
    name: "Name",
    kind: "Type",
    owner: "Owner",
    scopes: "Permissions",
    created: "Created",
    lastUsed: "Last used",
    expires: "Expires",
  },
  kinds: { key: "API key", app: "Connected app" },
  revoke: {
    label: "Revoke",
    named: (name: string) => `Revoke ${name}`,
    title: (name: string) => `Revoke ${name}?`,
    action: "Revoke access",
    body: (owner: string) =>
      `Owner: ${owner}. Its requests are rejected immediately. This can't be undone.`,
    done: (name: string) => `${name} revoked`,
  },
} as const;
