import type { JsonObject } from "@toolhost/contract";

/** Error codes of JSON-RPC 2.0 and of the revisions of MCP. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Up to 2025-11-25; later revisions use `invalidParams`. */
  resourceNotFound: -32002,
  /** In 2025-11-25. */
  urlElicitationRequired: -32042,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

type Options = {
  data?: JsonObject;
  /** The HTTP status, if the revision specifies one for the error. */
  httpStatus?: 400 | 404;
};

/** A JSON-RPC error. Its message is sent to the client. */
export class RpcError extends Error {
  override name = "RpcError";
  readonly code: number;
  readonly data: JsonObject | undefined;
  readonly httpStatus: 400 | 404 | undefined;

  constructor(code: number, message: string, { data, httpStatus }: Options = {}) {
    super(message);
    this.code = code;
    this.data = data;
    this.httpStatus = httpStatus;
  }
}
