import type { Log } from "#lib/log";

/** What a line says about a request, without what a client may choose freely, such as its path and headers. */
type ServedRequest = {
  requestId: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  ip: string | null;
};

/** The route of health checks, metrics, static files and unknown paths, which get no line. */
const otherRoute = "other";

/** Writes one line of the log for each request. The core notes what it learns while the request is served. */
export type AccessLog = {
  begin(requestId: string): void;
  noteCaller(caller: { requestId: string; userId: string; workspaceId: string }): void;
  noteRun(requestId: string, runId: string): void;
  end(request: ServedRequest): void;
};

const ignore = () => undefined;

/** The access log that is off. */
export const noAccessLog: AccessLog = {
  begin: ignore,
  noteCaller: ignore,
  noteRun: ignore,
  end: ignore,
};

/** A request of MCP may start several runs. */
const maxRuns = 20;

type Notes = { userId?: string; workspaceId?: string; runIds: string[] };

export function createAccessLog(log: Log): AccessLog {
  const open = new Map<string, Notes>();
  return {
    begin: (requestId) => void open.set(requestId, { runIds: [] }),
    noteCaller: ({ requestId, userId, workspaceId }) => {
      const notes = open.get(requestId);
      if (notes !== undefined) Object.assign(notes, { userId, workspaceId });
    },
    noteRun: (requestId, runId) => {
      const notes = open.get(requestId);
      if (notes !== undefined && notes.runIds.length < maxRuns) notes.runIds.push(runId);
    },
    end: (request) => {
      const { runIds, ...caller } = open.get(request.requestId) ?? { runIds: [] };
      open.delete(request.requestId);
      if (request.route === otherRoute) return;
      const [runId, ...others] = runIds;
      const runs = others.length > 0 ? { runIds } : runId === undefined ? {} : { runId };
      const durationMs = Math.round(request.durationMs * 10) / 10;
      log.info({ ...request, durationMs, ...caller, ...runs }, "request");
    },
  };
}
