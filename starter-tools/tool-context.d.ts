/** What a tool gets beside its input. It is a global type, so a tool names it without an import. */
type ToolContext = {
  /** Identifies this run in logs and in the run's record. */
  readonly runId: string;
  /** Aborts when the run is cancelled or its time is up: stop working and let go of timers. */
  readonly signal: AbortSignal;
  /** Credentials by name. Each value is a placeholder that becomes the secret on its way to an allowed host. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Tells whoever waits how far the work is: a fraction from 0 to 1, and words for people. */
  progress(fraction: number, message?: string): void;
  /** Files that the caller uploaded, and files that this run makes. */
  readonly files: {
    open(id: string): Promise<Response>;
    save(file: {
      name: string;
      mimeType: string;
      body: string | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>;
    }): Promise<{ fileId: string }>;
  };
  /** Other tools that the caller may run. */
  readonly tools: {
    run(name: string, input: Record<string, unknown>): Promise<unknown>;
  };
};
