import type { Builder } from "#core/builds";
import type { BaseContext } from "#core/kernel";
import type { LimitsContext } from "#core/limits";
import type { Validation } from "#core/validation";
import { createLruMap } from "#lib/lru";
import type { LruMap } from "#lib/lru";
import type { KeptPackageTypes } from "./tools/package-types.ts";
import { runnableSize } from "./tools/runnable-tool.ts";
import type { RunnableTool } from "./tools/runnable-tool.ts";
import { createToolIndexes } from "./tools/tool-indexes.ts";
import type { ToolIndexes } from "./tools/tool-indexes.ts";

/** Memory of the versions that are ready to run. */
const maxRunnableBytes = 256 * 1024 * 1024;

/** What saving a tool definition needs; a first start has no more. */
export type AuthoringContext = BaseContext & { validation: Validation };

/** What building a tool's code needs as well. */
export type BuildingContext = AuthoringContext & Pick<CatalogContext, "builder" | "limits">;

export type CatalogContext = LimitsContext & {
  /** Checks schemas and inputs in worker processes. */
  validation: Validation;
  builder: Builder;
  catalog: CatalogState;
};

/** Caches of this process. */
export type CatalogState = {
  /** Versions that ran recently, ready for the next run. */
  runnableTools: LruMap<string, RunnableTool>;
  toolIndexes: ToolIndexes;
  /** Types of npm packages, for editors. */
  packageTypes: LruMap<string, KeptPackageTypes>;
};

export function createCatalogState(): CatalogState {
  return {
    runnableTools: createLruMap(500, { max: maxRunnableBytes, of: runnableSize }),
    toolIndexes: createToolIndexes(),
    // Each entry takes megabytes.
    packageTypes: createLruMap(6),
  };
}
