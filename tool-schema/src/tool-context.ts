/** The declaration of `ctx` for editors. A test verifies that it is identical to `starter-tools/tool-context.d.ts`. */
export const toolContextText = `/** The second argument of a tool. The type is global, so tools use it without an import. */
type ToolContext = {
  /** ID of this run, as in logs and run records. */
  readonly runId: string;
  /** Aborts when the run is cancelled or times out. Stop working and clear timers. */
  readonly signal: AbortSignal;
  /** Credentials by name. Each value is a placeholder, replaced by the secret in requests to allowed hosts. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Builds \`Authorization\` header values from credentials or other text. */
  readonly authorization: {
    /** "Bearer" scheme (RFC 6750). */
    bearer(token: string): string;
    /** "Basic" scheme in UTF-8 (RFC 7617). Throws a TypeError if the user name contains a colon. */
    basic(user: string, password: string): string;
  };
  /** Reports progress: a fraction from 0 to 1, and an optional message for people. */
  progress(fraction: number, message?: string): void;
  /**
   * Asks the user who started the run, who answers in the console, over MCP or with the API, and resolves to the answer. \`schema\`
   * is a flat form as in MCP's elicitation: fields of the types "string", "number", "integer" and "boolean", choices (\`enum\`, or
   * \`oneOf\` with \`const\` and \`title\`), and lists of choices. An accepted \`content\` matches the schema.
   *
   * Resolves to \`cancel\` if no one answers within five minutes or until a second before the run's time limit, which includes the
   * wait, and at once in child runs and batches, where no user is asked. Rejects for an invalid question, while another is open, and
   * after ten questions.
   */
  ask(question: {
    readonly message: string;
    readonly schema: {
      readonly type: "object";
      readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
      readonly required?: readonly string[];
    };
  }): Promise<
    | { action: "accept"; content: Record<string, string | number | boolean | string[]> }
    | { action: "decline" }
    | { action: "cancel" }
  >;
  /** Files in the tool's \`fileFields\`, and files that this run saved. */
  readonly files: {
    /** Opens a file; read it once per call. Rejects with an error whose \`code\` is "file_not_found". */
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
    /** Stores a file. Return the result in the output so that the caller can find the file. */
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
      /** In lowercase hexadecimal. */
      sha256: string;
      /** Download URL. Requires an API key of the workspace. */
      url: string;
    }>;
  };
  /** Other tools that the caller may run. A tool installed from another workspace can run only tools of that workspace. */
  readonly tools: {
    /**
     * Runs a tool for the same caller and resolves to its output. At most eight run at the same time; further calls wait.
     * Calls still running when this run ends are cancelled, and no call may run longer than this run.
     *
     * Rejects with an \`Error\` whose message starts with the tool's name and whose \`code\` says what happened:
     * - The tool did not run: "tool_not_found", "invalid_input" (with \`errors\`, one for each invalid value),
     *   "credentials_missing", "rate_limited", "quota_exceeded", "unavailable" (no slot became available: retry
     *   later), or "forbidden" (the tool would run itself, the calls are nested too deeply, or there are too many).
     * - The tool ran and failed: the error code of its run, for example "tool_error", "timeout" or
     *   "egress_denied", or "cancelled". \`runId\` identifies that run.
     *
     * An error that is not caught ends this run as "tool_error" with the same message.
     */
    run(name: string, input: Record<string, unknown>): Promise<unknown>;
  };
};`;
