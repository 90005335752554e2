import type { Scope } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";

/** Throws `insufficient_scope`, naming the scope, if the caller does not have it. */
export function requireScope({ scopes, via }: Pick<Caller, "scopes" | "via">, scope: Scope): void {
  if (scopes.has(scope)) return;
  // Keys and tokens can have fewer scopes than their owner; sessions and chats have those of the role.
  const isLimited = via === "rest" || via === "mcp";
  throw new ServiceError(
    "insufficient_scope",
    isLimited
      ? `This request requires the scope \`${scope}\`. Use an API key or token that has it.`
      : "Your role in this workspace does not permit this. Ask an admin to change it.",
    { extra: { requiredScope: scope } },
  );
}
