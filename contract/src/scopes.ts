import { z } from "zod";
import { scopes } from "./scope-descriptions.ts";
import type { Scope } from "./scope-descriptions.ts";

export const scope = z
  .enum(Object.keys(scopes) as [Scope, ...Scope[]])
  .meta({ id: "Scope", description: "A permission of an API key." });
