import { defineCommand } from "../define-command.ts";
import type { NoFlags } from "../define-command.ts";

export const whoami = defineCommand<NoFlags, []>({
  brief: "Show the user, the workspace and the permissions",
  parameters: {},
  load: async () => (await import("../account/whoami.ts")).whoami,
});

export const login = defineCommand<{ browser: boolean; scope?: string }, []>({
  brief: "Sign in with a browser",
  description:
    "Opens the service's consent page in a browser, and stores the tokens in a file that only you can read.",
  parameters: {
    flags: {
      browser: {
        kind: "boolean",
        brief: "Open a browser, or only print the address",
        default: true,
      },
      scope: {
        kind: "parsed",
        parse: String,
        brief: "Permissions to request, separated by spaces",
        optional: true,
        placeholder: "scopes",
      },
    },
  },
  load: async () => (await import("../account/login.ts")).login,
});

export const logout = defineCommand<NoFlags, []>({
  brief: "Sign out, and revoke the tokens",
  parameters: {},
  load: async () => (await import("../account/logout.ts")).logout,
});
