import type { Scope } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";

/** Throws `insufficient_scope`, naming the scope, if the caller does not have it. */
export function requireScope({ scopes }: Pick<Caller, "scopes">, scope: Scope): void {
  if (scopes.has(scope)) return;
  throw new ServiceError(
    "insufficient_scope",
    `This request requires the scope \`${scope}\`. Use an API key or token that has it.`,
    {
      extra: { requiredScope: scope },
    },
  );
}
