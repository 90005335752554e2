/** Texts of components of the catalog, and of pages that require a role. */
export const messages = {
  install: {
    button: "Install",
    named: (title: string) => `Install ${title}`,
    pending: "Installing…",
    done: (title: string) => `Installed ${title}`,
  },
  facts: {
    by: "By",
    in: "in",
    deletedAccount: "a deleted account",
    noInput: "No input.",
    input: (fields: readonly string[]) => `Input: ${fields.join(", ")}.`,
    noHosts: "No network access.",
    hosts: (hosts: readonly string[]) => `Allowed hosts: ${hosts.join(", ")}.`,
    credentials: (credentials: readonly string[]) => `Credentials: ${credentials.join(", ")}.`,
    credential: (name: string, hosts: string) => `${name} (${hosts})`,
    everyHost: "for every host that the credential allows",
    forHosts: (hosts: readonly string[]) => `for ${hosts.join(", ")}`,
  },
} as const;
