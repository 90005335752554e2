import type { Config } from "#config";
import type { DraftsContext } from "#core/drafts";
import type { Validation } from "#core/validation";
import { createDocumentSlots } from "./document-slots.ts";
import type { DocumentSlots } from "./document-slots.ts";
import { createItemCache } from "./item-cache.ts";
import type { ItemCache } from "./item-cache.ts";
import { createOpenApiReader } from "./openapi/index.ts";
import type { OpenApiReader } from "./openapi/index.ts";

export type ImportsContext = DraftsContext & { imports: ImportsState };

export type ImportsState = {
  /** Reads documents in processes that can be killed. */
  reader: OpenApiReader;
  /** Workspaces of the imports that this node is checking. */
  checking: Set<string>;
  items: ItemCache;
  documents: DocumentSlots;
};

export function createImportsState(config: Config, validation: Validation): ImportsState {
  return {
    reader: createOpenApiReader({
      checkDefinition: (...check) => validation.checkDefinition(...check),
      size: Math.min(2, config.WORKER_PROCESSES),
      cpuMsPerMinute: config.WORKSPACE_WORKER_CPU_MS_PER_MINUTE,
    }),
    checking: new Set(),
    items: createItemCache(),
    documents: createDocumentSlots(),
  };
}
