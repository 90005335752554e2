import type { Outbound } from "@toolhost/sandbox";
import type { CatalogContext } from "#core/catalog";
import type { IdentityContext } from "#core/identity";
import type { CredentialTable } from "#db";

export type VaultContext = CatalogContext &
  IdentityContext & {
    /** Sends the service's own requests to other servers. */
    outbound: Outbound;
    vault: VaultState;
  };

/** Requests to OAuth providers that this process has in progress. */
export type VaultState = {
  /** Connections whose tokens are being renewed, by the credential's ID. */
  renewals: Map<string, Promise<CredentialTable | undefined>>;
  /** Token revocations for deleted connections. */
  revocations: Set<Promise<void>>;
  /** When servers last refused a token that had not expired, by the credential's ID. */
  refusals: Map<string, number>;
};

export function createVaultState(): VaultState {
  return { renewals: new Map(), revocations: new Set(), refusals: new Map() };
}
