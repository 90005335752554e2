/** Why a server's tools could not be listed. */
export type McpServerProblem =
  /** The address cannot belong to an MCP server. */
  | "invalid_url"
  /** No connection, or it broke off. Worth a retry. */
  | "unreachable"
  /** The server did not answer in time. Worth a retry. */
  | "timeout"
  /** The network rules of this service do not allow the address. */
  | "egress_denied"
  /** The server requires a sign-in, or does not accept the credential. */
  | "unauthorized"
  /** The credential does not allow it. */
  | "forbidden"
  /** The address belongs to something else. */
  | "not_mcp_server"
  /** The server speaks MCP, but answered with an error or against the protocol. */
  | "bad_response"
  /** The answer exceeds a limit of this service. */
  | "too_large";

/**
 * Thrown when a server's tools cannot be listed. The message says what to do, and quotes nothing of the server that is
 * not bounded and printable.
 */
export class McpServerError extends Error {
  override name = "McpServerError";
  readonly problem: McpServerProblem;
  /** For `unauthorized` and `forbidden`: the header `WWW-Authenticate` of the response. Untrusted. */
  readonly challenge: string | undefined;

  constructor(
    problem: McpServerProblem,
    message: string,
    { challenge, cause }: { challenge?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.problem = problem;
    this.challenge = challenge;
  }
}
