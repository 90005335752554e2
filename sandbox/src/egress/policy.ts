import type { EgressObserver } from "./observation.ts";
import type { Secret, SecretSource } from "./secret.ts";

/** Network limits of one run. Requests beyond a limit are denied. */
export type EgressLimits = {
  /** Concurrent requests. Further requests wait. */
  parallelRequests: number;
  requests: number;
  /** Total bytes of request bodies. */
  bytesSent: number;
  /** Total bytes of response bodies as transferred, before decompression. */
  bytesReceived: number;
  connectMs: number;
};

/** Which hosts a run may reach, and its limits. */
export type EgressPolicy = {
  /** `host` or `*.host` with an optional `:port` for HTTPS, and the same after `http://` for plain HTTP. */
  allowedHosts: readonly string[];
  /** `host` or `host:port` on private networks, which tools may reach if they also declare them. */
  privateHosts: readonly string[];
  limits: EgressLimits;
  /** Substituted for placeholders in requests, and redacted in responses. */
  secrets?: readonly Secret[] | SecretSource;
  /** Told of each allowed request, for tracing. */
  observe?: EgressObserver | undefined;
};

/** A policy without network access. */
export const NO_EGRESS: EgressPolicy = {
  allowedHosts: [],
  privateHosts: [],
  limits: { parallelRequests: 1, requests: 0, bytesSent: 0, bytesReceived: 0, connectMs: 1 },
};
