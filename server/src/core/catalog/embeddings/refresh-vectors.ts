import { yieldToEventLoop } from "#lib/event-loop";
import type { CatalogContext } from "../context.ts";
import { EmbeddingError, isRejection } from "./client.ts";
import { maxTextsAtOnce } from "./embeddings.ts";
import type { Embeddings } from "./embeddings.ts";
import {
  deleteVectors,
  findOldHashes,
  findVectors,
  isWorkspaceKept,
  saveVectors,
} from "./embedding-store.ts";
import type { ToolVectors, WantedVector } from "./tool-vectors.ts";
import type { Vector } from "./vector.ts";

/** Vectors of texts that no tool has are deleted after this time, since other nodes may still use them. */
const unusedMs = 7 * 86_400_000;
const hashesAtOnce = 500;

type RefreshContext = Pick<CatalogContext, "db" | "clock" | "log" | "catalog">;

/**
 * Finds the vectors that the loaded search indexes lack: in the database, or from the provider. Workspaces take turns of a
 * few tools. Ends when none is missing or the provider is unavailable. Several nodes may do the same work at once, with the
 * same result.
 */
export async function refreshVectors(context: RefreshContext, signal: AbortSignal): Promise<void> {
  const { embeddings, toolIndexes } = context.catalog;
  if (embeddings === undefined) return;
  for (let isMore = true; isMore && !signal.aborted;) {
    isMore = false;
    for (const { workspaceId, vectors } of toolIndexes.loaded()) {
      if (vectors === undefined || signal.aborted) continue;
      const dimension = await embeddings.prepare(signal);
      if (dimension === undefined) return;
      if (vectors.dimension() !== undefined && vectors.dimension() !== dimension) {
        // The provider has changed the model, so all vectors are of no use.
        toolIndexes.clear();
        return;
      }
      const work = { context, embeddings, workspaceId, vectors, dimension, signal };
      if (await refreshSome(work)) isMore = true;
      await yieldToEventLoop();
    }
  }
}

type Work = {
  context: RefreshContext;
  embeddings: Embeddings;
  workspaceId: string;
  vectors: ToolVectors;
  dimension: number;
  signal: AbortSignal;
};

/** Finds some vectors. Returns whether it found any. */
async function refreshSome(work: Work): Promise<boolean> {
  const { context, embeddings, workspaceId, vectors, dimension, signal } = work;
  const wanted = vectors.wanted(maxTextsAtOnce);
  if (wanted.length === 0) {
    await deleteUnused(work);
    return false;
  }
  const scope = { workspaceId, model: embeddings.model };
  const stored = await findVectors(
    context.db,
    scope,
    wanted.map(({ hash }) => hash),
  );
  for (const [hash, vector] of stored) {
    if (vector.values.length === dimension) vectors.provide(hash, vector);
    else stored.delete(hash);
  }
  const missing = wanted.filter(({ hash }) => !stored.has(hash));
  if (missing.length === 0) return true;
  const isKept = () => isWorkspaceKept(context.db, workspaceId);
  if (!(await isKept())) {
    for (const { hash } of missing) vectors.provide(hash, undefined);
    return true;
  }
  try {
    const embedded = await embedEach(embeddings, missing, { signal, isKept });
    if (embedded.size > 0) await saveVectors(context.db, scope, embedded, context.clock.now());
    const rejected = missing.length - embedded.size;
    if (rejected > 0) context.log.info({ workspaceId, rejected }, "tools cannot be embedded");
    for (const { hash } of missing) vectors.provide(hash, embedded.get(hash));
    return true;
  } catch (error) {
    // The failure is logged already.
    if (error instanceof EmbeddingError) return false;
    throw error;
  }
}

/** Embeds texts together; one by one if the provider rejects some of them. Those that it rejects are left out. */
async function embedEach(
  embeddings: Embeddings,
  wanted: readonly WantedVector[],
  { signal, isKept }: { signal: AbortSignal; isKept: () => Promise<boolean> },
): Promise<Map<string, Vector>> {
  const embed = async (some: readonly WantedVector[]) => {
    const vectors = await embeddings.embedTools(
      some.map(({ text }) => text),
      signal,
    );
    return some.flatMap(({ hash }, at): [string, Vector][] => {
      const vector = vectors[at];
      return vector === undefined ? [] : [[hash, vector]];
    });
  };
  try {
    return new Map(await embed(wanted));
  } catch (error) {
    if (!isRejection(error)) throw error;
  }
  const found = new Map<string, Vector>();
  for (const one of wanted) {
    // The first request may have taken half a minute.
    if (!(await isKept())) break;
    try {
      for (const [hash, vector] of await embed([one])) found.set(hash, vector);
    } catch (error) {
      if (!isRejection(error)) throw error;
    }
  }
  return found;
}

/** Deletes old vectors of texts that no tool has, once for each loaded index. */
async function deleteUnused({ context, workspaceId, vectors, signal }: Work): Promise<void> {
  const used = vectors.takeHashes();
  if (used === undefined) return;
  const before = context.clock.now() - unusedMs;
  for (let after: string | undefined = ""; after !== undefined && !signal.aborted;) {
    const page = { before, after, limit: hashesAtOnce };
    const hashes = await findOldHashes(context.db, workspaceId, page);
    const unused = hashes.filter((hash) => !used.has(hash));
    await deleteVectors(context.db, workspaceId, unused);
    after = hashes.length < hashesAtOnce ? undefined : hashes.at(-1);
  }
}
