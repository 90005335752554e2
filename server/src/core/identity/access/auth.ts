import { betterAuth } from "better-auth";
import { createAuthOptions } from "./auth-options.ts";
import type { PeopleOptions } from "./auth-options.ts";

/** Creates the configured sign-in library, which takes long to load. */
export function createAuth(options: PeopleOptions, secret: string) {
  return betterAuth(createAuthOptions(options, secret));
}
