import { ServiceError } from "#core/errors";

const mostStreams = 100;

/** Counts a stream that the workspace holds open; the function that comes back ends it. Throws `rate_limited`. */
export function holdStream(openStreams: Map<string, number>, workspaceId: string): () => void {
  const open = openStreams.get(workspaceId) ?? 0;
  if (open >= mostStreams) {
    throw new ServiceError("rate_limited", `${open} streams are open. Close some first.`, {
      retryAfterSeconds: 5,
    });
  }
  openStreams.set(workspaceId, open + 1);
  return () => {
    const left = (openStreams.get(workspaceId) ?? 1) - 1;
    if (left > 0) openStreams.set(workspaceId, left);
    else openStreams.delete(workspaceId);
  };
}
