import type { PackageTypes } from "@toolhost/contract";
import type { Builder } from "#core/builds";
import type { BaseContext, NodeContext } from "#core/kernel";
import type { LimitsContext } from "#core/limits";
import type { Validation } from "#core/validation";
import { createLruMap } from "#lib/lru";
import type { LruMap } from "#lib/lru";
import { createSearchLog } from "./learning/search-log.ts";
import type { SearchLog } from "./learning/search-log.ts";
import type { RunnableTool } from "./tools/runnable-tool.ts";
import { createEmbeddings } from "./embeddings/embeddings.ts";
import type { Embeddings } from "./embeddings/embeddings.ts";
import { createToolIndexes } from "./tools/tool-indexes.ts";
import type { ToolIndexes } from "./tools/tool-indexes.ts";

/** More tools that run in turn than this are all read and parsed for each run. */
const maxRunnableTools = 5_000;
/** Memory of the versions that are ready to run. */
const maxRunnableBytes = 256 * 1024 * 1024;

/** What saving a tool needs, and all that a first start provides. */
export type AuthoringContext = BaseContext & { validation: Validation };

/** What building the code of a tool needs in addition. */
export type BuildingContext = AuthoringContext & Pick<CatalogContext, "builder" | "limits">;

export type CatalogContext = LimitsContext & {
  /** Checks schemas and inputs in worker processes. */
  validation: Validation;
  builder: Builder;
  catalog: CatalogState;
};

/** Types read from npm packages, and when. */
type CachedPackageTypes = { types: PackageTypes; at: number };

/** Caches of this process. */
export type CatalogState = {
  /** Versions that ran recently, ready for the next run. */
  runnableTools: LruMap<string, RunnableTool>;
  toolIndexes: ToolIndexes;
  searchLog: SearchLog;
  /** Undefined without a model, when searches compare words only. */
  embeddings: Embeddings | undefined;
  /** Types of npm packages for the editor, by workspace and packages. */
  packageTypes: LruMap<string, CachedPackageTypes>;
};

export function createCatalogState(context: NodeContext): CatalogState {
  const embeddings = createEmbeddings(context.config, context);
  return {
    runnableTools: createLruMap(maxRunnableTools, {
      max: maxRunnableBytes,
      of: ({ bytes }) => bytes,
    }),
    toolIndexes: createToolIndexes({ embeddings }),
    embeddings,
    searchLog: createSearchLog(),
    // Each entry takes megabytes.
    packageTypes: createLruMap(6),
  };
}
