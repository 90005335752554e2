import type { Caller } from "#core/kernel";
import type { VaultContext } from "../context.ts";

/** A credential that the service itself wants to send to one URL, not as part of a run. */
export type CredentialUse = {
  name: string;
  /** The request's URL. The credential must allow its host. */
  url: string;
  /** Precedes the value in the header. `Bearer ` unless it is set; empty for an API key. */
  prefix?: string | undefined;
};

/** What the service can send, or why it can send nothing. */
export type UsableCredential =
  | {
      status: "ready";
      /** The value of the header, `Authorization` unless the server wants another. It must not be logged. */
      headerValue: string;
      /** For `reportRefusal`. */
      sent: SentCredential;
    }
  /** The caller has none of this name, and may not use the workspace's. */
  | { status: "missing" }
  /** A person has to sign in at the provider, on the page at `connectUrl`. */
  | { status: "awaiting_consent" | "needs_reconnect"; connectUrl: string | undefined };

/** The token or value that was sent. */
export type SentCredential = { id: string; workspaceId: string; revision: number };

/** The refusal of a server that received a credential. */
export type CredentialRefusal = {
  status: 401 | 403;
  /** The header `WWW-Authenticate` of the response. */
  challenge: string | undefined;
};

/**
 * The value of a header with which the service itself sends a credential to one URL: the caller's own credential of the
 * name, or the workspace's if the caller may manage it. An expired token is renewed first. Throws `invalid_request` if
 * the credential may not be sent to the URL's host, and `unavailable` while its provider does not respond.
 */
export declare function useCredential(
  context: VaultContext,
  caller: Caller,
  use: CredentialUse,
): Promise<UsableCredential>;

/**
 * Reports that a server refused a credential. After a refused token, a new one is requested; if the server asks for
 * more permissions, the connection becomes `needs_reconnect`. Use the credential again to learn its state.
 */
export declare function reportRefusal(
  context: VaultContext,
  sent: SentCredential,
  refusal: CredentialRefusal,
): Promise<void>;

/** What the definition of a tool declares to send a credential to one URL as a bearer token. */
export type BearerDeclaration = {
  credentials: { name: string; description: string; hosts: string[] }[];
  allowedHosts: string[];
  /** The header with a placeholder in the tool's code: `header: prefix + ctx.credentials[name]`. */
  header: { name: string; header: "authorization"; prefix: "Bearer " };
};

/** Declares a credential for the definition of a tool that calls one URL. */
export declare function declareBearer(name: string, url: string): BearerDeclaration;
