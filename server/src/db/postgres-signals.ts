import pg from "pg";
import { within } from "#lib/within";
import { markDatabaseError } from "./database-error.ts";

/** Messages between the nodes that share a database. They may be lost, so no code relies on them alone. */
export type Signals = {
  close(): Promise<void>;
};

type Options = {
  url: string;
  onMessage: (message: string) => void;
  /** Called after each connection is established, to catch up on messages missed before. */
  onConnect: () => void;
  onError: (error: Error) => void;
};

/** The channel of LISTEN and NOTIFY. */
export const signalChannel = "toolhost";
const firstPauseMs = 200;
const maxPauseMs = 5_000;

/** Listens on a separate connection, and reconnects if it breaks. */
export function listenForSignals({ url, onMessage, onConnect, onError }: Options): Signals {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = firstPauseMs;
  let isClosed = false;
  let connecting = Promise.resolve();

  const retry = () => {
    client = undefined;
    if (isClosed) return;
    timer = setTimeout(() => {
      connecting = connect();
    }, pauseMs);
    timer.unref();
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  };
  const connect = async () => {
    const next = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    let isOver = false;
    const over = (error?: Error) => {
      if (isOver) return;
      isOver = true;
      if (error !== undefined) onError(markDatabaseError(error));
      // It is already broken; this releases its remaining resources.
      void closeQuietly(next);
      retry();
    };
    next.on("error", over);
    next.on("end", () => over());
    next.on("notification", ({ payload }) => onMessage(payload ?? ""));
    try {
      await next.connect();
      await next.query(`listen ${signalChannel}`);
    } catch (error) {
      over(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (isOver) return;
    if (isClosed) {
      await closeQuietly(next);
      return;
    }
    client = next;
    pauseMs = firstPauseMs;
    onConnect();
  };
  connecting = connect();
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await connecting;
      if (client !== undefined) await closeQuietly(client);
    },
  };
}

/** How long a server may take to close a connection. One that has disappeared never does. */
const closeTimeoutMs = 1_000;

async function closeQuietly(client: pg.Client): Promise<void> {
  try {
    await within(client.end(), closeTimeoutMs);
  } catch {
    // The client is closed already.
  }
}
