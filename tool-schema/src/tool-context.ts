/** The declaration of `ctx` for editors. It is identical to `starter-tools/tool-context.d.ts`, which a test verifies. */
export const toolContextText = `/** What a tool gets beside its input. It is a global type, so a tool names it without an import. */
type ToolContext = {
  /** Identifies this run in logs and in the run's record. */
  readonly runId: string;
  /** Aborts when the run is cancelled or its time is up: stop working and let go of timers. */
  readonly signal: AbortSignal;
  /** Credentials by name. Each value is a placeholder that becomes the secret on its way to an allowed host. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Values for the header \`Authorization\`, of credentials or of texts. */
  readonly authorization: {
    /** "Bearer" with a token (RFC 6750). */
    bearer(token: string): string;
    /** "Basic" with a user and a password in UTF-8 (RFC 7617). Throws a TypeError for a colon in the user. */
    basic(user: string, password: string): string;
  };
  /** Tells whoever waits how far the work is: a fraction from 0 to 1, and words for people. */
  progress(fraction: number, message?: string): void;
  /** Files that the input names in the tool's \`fileFields\`, and files that this run makes or has made. */
  readonly files: {
    /** Each file may be read once for each time it is opened. Throws an error with \`code\` "file_not_found". */
    open(id: string): Promise<{
      readonly fileName: string;
      readonly mimeType: string;
      /** In bytes. */
      readonly size: number;
      stream(): ReadableStream<Uint8Array>;
      text(): Promise<string>;
      bytes(): Promise<Uint8Array>;
      arrayBuffer(): Promise<ArrayBuffer>;
      json(): Promise<unknown>;
    }>;
    /** Keeps a file. Put what it answers into the output, so that the caller finds the file. */
    save(file: {
      name: string;
      /** For example "text/csv". */
      mimeType: string;
      body: string | ArrayBuffer | ArrayBufferView | Blob | ReadableStream<Uint8Array> | Response;
    }): Promise<{
      fileId: string;
      fileName: string;
      mimeType: string;
      size: number;
      /** In lower-case hex. */
      sha256: string;
      /** Where it is downloaded, with a key of the workspace. */
      url: string;
    }>;
  };
  /** Other tools that the caller may run; for a tool that another workspace installed, those of its own workspace. */
  readonly tools: {
    /**
     * Runs a tool for the same caller and resolves to its output. Eight are at work at once, further calls wait.
     * What still works when this run ends is cancelled, and nothing works longer than this run may.
     *
     * Rejects with an \`Error\` whose message begins with the tool's name, and whose \`code\` says what happened:
     * - nothing was run: "tool_not_found", "invalid_input" (with \`errors\`: what is wrong, place by place),
     *   "credentials_missing", "rate_limited", "quota_exceeded", "unavailable" (no place became free: try
     *   again later), or "forbidden" (a tool that would run itself in the end, too deep, or too many calls);
     * - it was run and failed: as the run's record says, for example "tool_error", "timeout" or
     *   "egress_denied", or "cancelled"; then \`runId\` names its record.
     *
     * Not caught, it ends this run as "tool_error" with that message.
     */
    run(name: string, input: Record<string, unknown>): Promise<unknown>;
  };
};`;
