import type { JsonObject } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import type { LimitState } from "#core/limits";

/**
 * How a revision of the protocol works: `modern` ones (from 2026-07-28) say with each request all that it needs,
 * `legacy` ones begin with `initialize`.
 */
export type Era = "modern" | "legacy";

/** What clients do for the service while it works on their request. */
export type Peer = {
  /** Sends a notification that belongs to the request; nothing when the client cannot take it. */
  notify(method: string, params: JsonObject): void;
  /** Asks the client; legacy only, where the answer comes as a message of its own. */
  ask(method: string, params: JsonObject): Promise<JsonObject>;
};

/** A request as methods see it. */
export type McpRequest = {
  context: Context;
  caller: Caller;
  era: Era;
  params: JsonObject;
  /** What a modern client says that it can do. */
  capabilities: JsonObject;
  /** The least level of log messages that a modern client wants; none without it. */
  logLevel: string | undefined;
  /** Aborted when the client cancels the request. */
  signal: AbortSignal;
  peer: Peer;
  /** Takes note of limits that the request counted against. */
  noteLimits: (state: LimitState) => void;
};

/** Answers a request with its result. Throws `RpcError` and `ServiceError`. */
export type Method = (request: McpRequest) => Promise<JsonObject> | JsonObject;

/** All that an endpoint offers: the product's, or with the conformance suite's fixtures. */
export type Surface = {
  methods: Readonly<Record<Era, ReadonlyMap<string, Method>>>;
  /** Parameters of a tool that modern clients repeat in headers, by the header's name. */
  headersOfTool: (name: string) => ReadonlyMap<string, string>;
};
