import type { Config } from "#config";

/** How to trace, and where to send the spans. */
export type TracingConfig = NonNullable<Config["tracing"]>;

/** The values of a span's attributes. Those that are undefined are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A span as it starts. Only `conventions.ts` makes them. */
export type SpanStart = {
  name: string;
  kind: "internal" | "server" | "client" | "consumer";
  attributes?: Attributes;
};

/** What is known about a span later. With an error type it has failed. */
export type SpanUpdate = { name?: string; attributes?: Attributes; errorType?: string | undefined };

/** An operation of a trace. */
export type Span = {
  /** Adds what `describe` says about the subject, unless the span is not recorded. */
  update<S>(describe: (subject: S) => SpanUpdate, subject: S): void;
  /** Further calls do nothing. */
  end(): void;
};

/** The trace context that a caller sent, as it is, and the caller's address. */
export type Received = { traceparent: unknown; tracestate: unknown; ip: string | null };

type StartOptions = {
  /** The parent; the active span if left out. */
  parent?: Span;
  /** Unix milliseconds, for an operation that has started before. */
  startedAt?: number;
};

/**
 * Records spans. The functions that describe them are called only if they are recorded. The active span follows the asynchronous
 * calls of {@link Tracing.within}.
 */
export type Tracing = {
  isOn: boolean;
  /** Starts a span below the active one, or a new trace. */
  start<S>(describe: (subject: S) => SpanStart, subject: S, options?: StartOptions): Span;
  /**
   * Starts the span of a request. It continues the caller's trace and links the active span if the caller is trusted; otherwise
   * it links the caller's trace.
   */
  receive<S>(describe: (subject: S) => SpanStart, subject: S, received: Received): Span;
  /** Whether there is an active span, and it is recorded. */
  isActive(): boolean;
  /** Calls `work` with this active span. */
  within<T>(span: Span, work: () => T): T;
  /** Calls `work` without an active span. What it starts belongs to no trace. */
  detached<T>(work: () => T): T;
  /** The active span as text, for work that another process may do; null without one. */
  carry(): string | null;
  /** Calls `work` with the span that {@link Tracing.carry} wrote as the active one. */
  resume<T>(carried: string | null, work: () => T): T;
  /** Headers with the trace context of a span. */
  headersOf(span: Span): Readonly<Record<string, string>>;
  /** The IDs of the active span, for log lines. Undefined while tracing is off. */
  logFields: (() => Readonly<Record<string, string>>) | undefined;
  /** Sends the remaining spans, for a short time at most. */
  stop(): Promise<void>;
};

/** The span of whatever is not recorded. */
export const noSpan: Span = { update: () => undefined, end: () => undefined };

const noHeaders: Readonly<Record<string, string>> = {};

/** Tracing that is off. */
export const noTracing: Tracing = {
  isOn: false,
  start: () => noSpan,
  receive: () => noSpan,
  isActive: () => false,
  within: (_span, work) => work(),
  detached: (work) => work(),
  carry: () => null,
  resume: (_carried, work) => work(),
  headersOf: () => noHeaders,
  logFields: undefined,
  stop: async () => undefined,
};
