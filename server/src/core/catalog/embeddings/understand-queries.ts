import type { Config } from "#config";
import { createLruMap } from "#lib/lru";
import { within } from "#lib/within";
import { calibrate } from "./calibration.ts";
import type { Calibration } from "./calibration.ts";
import { EmbeddingError, isRejection, reasonOf } from "./client.ts";
import type { Embed } from "./client.ts";
import type { Health } from "./health.ts";
import { checkComparable, isComparable } from "./reference.ts";
import type { Reference } from "./reference.ts";
import type { Vector } from "./vector.ts";

/** What a query means: its vector, and what a similarity to it says. */
export type QueryMeaning = { vector: Vector; deviationsOf: Calibration };

/** The meaning of each query, or undefined for those that are not known within a short time. Never rejects. */
export type Understand = (
  userId: string,
  queries: readonly string[],
) => Promise<(QueryMeaning | undefined)[]>;

/** A response that is late for a search is still of use to the same query later. */
const lateTimeoutMs = 10_000;
const maxCachedQueries = 1_000;
const maxQueryCharacters = 1_000;
/** Requests in flight. Searches beyond that compare words only. */
const maxInFlight = 8;
/** This many late responses in a row count as an outage, so that not every search waits in vain. */
const maxLate = 3;

type Parts = { config: Config; embed: Embed; health: Health; reference: Reference };

export function createUnderstand({ config, embed, health, reference }: Parts): Understand {
  const { EMBEDDINGS_TIMEOUT_MS: timeoutMs, EMBEDDINGS_QUERY_PREFIX: prefix } = config;
  // By user, so that the time of a search does not show what others searched for.
  const cache = createLruMap<string, Vector>(maxCachedQueries);
  let inFlight = 0;
  let late = 0;

  async function request(texts: ReadonlyMap<string, string>): Promise<void> {
    const startedAt = performance.now();
    inFlight += 1;
    try {
      const signal = AbortSignal.timeout(lateTimeoutMs);
      const vectors = await embed([...texts.values()], { use: "query", signal });
      checkComparable(reference, vectors);
      for (const [at, key] of [...texts.keys()].entries()) {
        const vector = vectors[at];
        if (vector !== undefined) cache.set(key, vector);
      }
      late = performance.now() - startedAt > timeoutMs ? late + 1 : 0;
      if (late >= maxLate)
        throw new EmbeddingError("the provider takes longer than EMBEDDINGS_TIMEOUT_MS");
      if (late === 0) health.worked();
    } catch (error) {
      // Otherwise one user could pause the searches of all others.
      if (!isRejection(error)) health.failed(reasonOf(error));
    } finally {
      inFlight -= 1;
    }
  }

  return async (userId, queries) => {
    if (reference.vectors.length === 0) return [];
    const texts = queries.map((query) => query.slice(0, maxQueryCharacters).trim());
    const keyOf = (text: string) => `${userId} ${text}`;
    const missing = texts.filter(
      (text) => text.length > 1 && !isComparable(reference, cache.get(keyOf(text))),
    );
    if (missing.length > 0 && inFlight < maxInFlight && !health.isPaused()) {
      const wanted = new Map(missing.map((text) => [keyOf(text), prefix + text]));
      await within(request(wanted), timeoutMs);
    }
    return texts.map((text) => {
      const vector = cache.get(keyOf(text));
      if (!isComparable(reference, vector)) return undefined;
      return { vector, deviationsOf: calibrate(vector, reference.vectors) };
    });
  };
}
