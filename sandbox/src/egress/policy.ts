import type { Secret, SecretSource } from "./secret.ts";

/** Bounds of what one run may ask of the network. Beyond one, requests are refused with the reason. */
export type EgressLimits = {
  /** Requests that go on at once; more wait for one of them to end. */
  parallelRequests: number;
  requests: number;
  /** Bytes of all request bodies. */
  bytesSent: number;
  /** Bytes of all answers' bodies, as they cross the wire. */
  bytesReceived: number;
  connectMs: number;
};

/** What a run may reach, and how much of it. */
export type EgressPolicy = {
  /** `host` or `*.host` with an optional `:port`, by https; after `http://` by plain http. */
  allowedHosts: readonly string[];
  /** `host` or `host:port` that tools may reach on private networks if they declare them too. */
  privateHosts: readonly string[];
  limits: EgressLimits;
  /** What may stand in its requests in the place of placeholders, and nowhere in its answers. */
  secrets?: readonly Secret[] | SecretSource;
};

/** A run that asks for nothing. */
export const NO_EGRESS: EgressPolicy = {
  allowedHosts: [],
  privateHosts: [],
  limits: { parallelRequests: 1, requests: 0, bytesSent: 0, bytesReceived: 0, connectMs: 1 },
};
