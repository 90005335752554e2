import { ServiceError } from "#core/kernel";
import { createSlots } from "#lib/slots";
import type { Slots } from "#lib/slots";

/**
 * Limits the documents that are read at the same time. They arrive slowly, so downloads wait on the disk, and only a few
 * complete documents are in memory.
 */
export type DocumentSlots = {
  /**
   * Runs a task that has no other one with its key. Throws `unavailable` instead of waiting, because waiting requests would pile
   * up. `inMemory` waits for its turn, which takes as long as parsing does.
   */
  use<T>(key: string, task: (inMemory: Slots["use"]) => Promise<T>): Promise<T>;
};

const maxDocuments = 64;
const maxInMemory = 4;
const retryAfterSeconds = 5;

export function createDocumentSlots(): DocumentSlots {
  const keys = new Set<string>();
  const memory = createSlots(maxInMemory);
  return {
    async use(key, task) {
      if (keys.has(key)) {
        const message = "Another document is being read for this workspace. Retry shortly.";
        throw new ServiceError("unavailable", message, { retryAfterSeconds });
      }
      if (keys.size >= maxDocuments) {
        const message = "The service is reading other documents. Retry shortly.";
        throw new ServiceError("unavailable", message, { retryAfterSeconds });
      }
      keys.add(key);
      try {
        return await task((work) => memory.use(work));
      } finally {
        keys.delete(key);
      }
    },
  };
}
