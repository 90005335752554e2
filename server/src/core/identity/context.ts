import type { LimitsContext } from "#core/limits";
import type { People } from "./access/people.ts";
import type { AuthorizationServer } from "./oauth/authorization-server.ts";

export type IdentityContext = LimitsContext & {
  people: People;
  /** Signs in MCP clients. */
  authorizationServer: AuthorizationServer;
};
