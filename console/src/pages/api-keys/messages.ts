/** Texts of the API keys page. */
export const messages = {
  title: "API keys",
  noun: ["API key", "API keys"],
  lead: "Scripts and agents use an API key to act on your behalf in this workspace.",
  create: "Create API key",
  list: "API keys",
  empty: {
    title: "No API keys yet",
    body: "With an API key, a script, server or agent can run your tools. It has only the permissions that you choose, until you revoke it.",
  },

  row: {
    columns: {
      name: "Name",
      prefix: "Key",
      scopes: "Permissions",
      created: "Created",
      lastUsed: "Last used",
      expires: "Expires",
    },
    revoke: "Revoke",
    runsLabel: (name: string) => `Runs of ${name}`,
    revokeLabel: (name: string) => `Revoke ${name}`,
  },

  revoke: {
    title: (name: string) => `Revoke ${name}?`,
    thisKey: "this API key",
    action: "Revoke key",
    body: "Requests with this key are rejected immediately. This can't be undone.",
    revoked: (name: string) => `${name} revoked`,
  },

  form: {
    title: "Create API key",
    action: "Create API key",
    name: "Name",
    nameHint: "What the key is used for",
    namePlaceholder: "Nightly report",
    scopes: "Permissions",
    scopeNotAllowed: (scope: string) => `${scope} – not allowed for your role`,
    noScopes: "Select at least one permission.",
    expiration: "Expiration",
    expirations: {
      "30": "30 days",
      "90": "90 days",
      "365": "1 year",
      never: "No expiration",
    },
    expiresOn: (date: string) => `Expires on ${date}.`,
    neverExpires: "Valid until it is revoked.",
  },

  created: {
    title: (name: string) => `API key ${name}`,
    key: "API key",
    example: "Try it in a terminal",
    done: "I've copied the key",
  },
} as const;
