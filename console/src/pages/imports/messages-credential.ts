/** Texts of the choice of a credential. */
export const messages = {
  none: "None",
  create: "Create credential",
  missingHint: "Not created yet",
  sentTo: "is sent to",
  nowhereElse: "and to no other host.",
  missing: "You don't have it yet. Create it here, or when a run needs it.",
  notConnected: "It isn't connected yet. Connect it on the Credentials page.",
  notAllowed: (name: string, host: string, hosts: readonly string[]) =>
    `${name} would be sent to ${host}, but its hosts allow only ${hosts.join(", ")}. Choose another, or change its hosts on the Credentials page.`,
} as const;
