import { ServiceError } from "#core/kernel";

/** Limits the documents in memory, each of which may have 20 MB and arrive slowly. */
export type DocumentSlots = {
  /** Throws `unavailable` instead of waiting, because waiting requests would pile up as well. */
  use<T>(workspaceId: string, task: () => Promise<T>): Promise<T>;
};

const maxDocuments = 4;
const retryAfterSeconds = 5;

export function createDocumentSlots(): DocumentSlots {
  const workspaces = new Set<string>();
  return {
    async use(workspaceId, task) {
      if (workspaces.has(workspaceId)) {
        const message = "Another document is being read for this workspace. Retry shortly.";
        throw new ServiceError("unavailable", message, { retryAfterSeconds });
      }
      if (workspaces.size >= maxDocuments) {
        const message = "The service is reading other documents. Retry shortly.";
        throw new ServiceError("unavailable", message, { retryAfterSeconds });
      }
      workspaces.add(workspaceId);
      try {
        return await task();
      } finally {
        workspaces.delete(workspaceId);
      }
    },
  };
}
