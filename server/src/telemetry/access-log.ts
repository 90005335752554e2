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

type LoggedCaller = {
  requestId: string;
  userId: string;
  workspaceId: string;
  actor: { apiKeyId?: string };
};

/** Writes one line of the log for each request. The core notes what it learns while the request is served. */
export type AccessLog = {
  begin(requestId: string): void;
  noteCaller(caller: LoggedCaller): void;
  noteRun(requestId: string, run: { runId: string; toolName: string | undefined }): void;
  noteResult(
    requestId: string,
    result: { runId: string; status: string; code: string | undefined },
  ): void;
  end(request: ServedRequest): void;
};

const ignore = () => undefined;

/** The access log that is off. */
export const noAccessLog: AccessLog = {
  begin: ignore,
  noteCaller: ignore,
  noteRun: ignore,
  noteResult: ignore,
  end: ignore,
};

/** A request of MCP may start several runs. */
const maxRuns = 20;

type Notes = {
  caller?: { userId: string; workspaceId: string; apiKeyId: string | undefined };
  /** Of the only run of a request. */
  run: { toolName?: string | undefined; runStatus?: string; code?: string | undefined };
  runIds: string[];
};

export function createAccessLog(log: Log): AccessLog {
  const open = new Map<string, Notes>();
  return {
    begin: (requestId) => void open.set(requestId, { run: {}, runIds: [] }),
    noteCaller: ({ requestId, userId, workspaceId, actor: { apiKeyId } }) => {
      const notes = open.get(requestId);
      if (notes === undefined) return;
      notes.caller = { userId, workspaceId, apiKeyId };
    },
    noteRun: (requestId, { runId, toolName }) => {
      const notes = open.get(requestId);
      if (notes === undefined) return;
      notes.run = notes.runIds.length === 0 ? { toolName } : {};
      if (notes.runIds.length < maxRuns) notes.runIds.push(runId);
    },
    noteResult: (requestId, { runId, status, code }) => {
      const notes = open.get(requestId);
      if (notes === undefined || notes.runIds.length !== 1 || notes.runIds[0] !== runId) return;
      Object.assign(notes.run, { runStatus: status, code });
    },
    end: (request) => {
      const { runIds, caller, run } = open.get(request.requestId) ?? { runIds: [] };
      open.delete(request.requestId);
      if (request.route === otherRoute) return;
      const [runId, ...others] = runIds;
      const runs = others.length > 0 ? { runIds } : runId === undefined ? {} : { runId };
      const durationMs = Math.round(request.durationMs * 10) / 10;
      log.info({ ...request, durationMs, ...caller, ...runs, ...run }, "request");
    },
  };
}
