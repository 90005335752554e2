import type { JsonObject } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { KnownClient } from "./known-clients.ts";
import type { ResultForm } from "./result-form.ts";
import type { Context } from "#core/context";
import type { LimitState } from "#core/limits";

/**
 * The kind of a protocol revision. In `modern` revisions (from 2026-07-28) each request is self-contained; `legacy` ones
 * start with `initialize`.
 */
export type Era = "modern" | "legacy";

/** Sends messages to the client during its request. */
export type Peer = {
  /** Sends a notification about the request, unless the client cannot receive one. */
  notify(method: string, params: JsonObject): void;
  /** Sends a request to the client and waits for its response; legacy revisions only. */
  request(method: string, params: JsonObject): Promise<JsonObject>;
  /** Sends a message on the stream of the request. Missing if the client cannot receive one. */
  send?: ((message: JsonObject) => void) | undefined;
};

/** A request as methods receive it. */
export type McpRequest = {
  context: Context;
  caller: Caller;
  era: Era;
  /** The revision that the request names; undefined for a legacy client that names none. */
  revision: string | undefined;
  results: ResultForm;
  params: JsonObject;
  /** What is known of a legacy client. */
  client: KnownClient | undefined;
  /** The client capabilities that a modern request declares. */
  capabilities: JsonObject;
  /** The minimum level of log messages for a modern client; undefined for no log messages. */
  logLevel: string | undefined;
  /** Aborted when the client cancels the request. */
  signal: AbortSignal;
  peer: Peer;
  /** Reports the limits that the request counted against, for the response headers. */
  noteLimits: (state: LimitState) => void;
};

/** Handles a request and returns its result. Throws `RpcError` and `ServiceError`. */
export type Method = (request: McpRequest) => Promise<JsonObject> | JsonObject;

/** The methods of an endpoint: those of the product, or with the fixtures of the conformance suite. */
export type Surface = {
  methods: Readonly<Record<Era, ReadonlyMap<string, Method>>>;
  /** The parameters of a tool that modern clients repeat in `Mcp-Param-` headers, by header name. */
  headersOfTool: (name: string) => ReadonlyMap<string, string>;
};
