import { yieldToEventLoop } from "#lib/event-loop";
import { finishInTurns } from "#lib/steps";
import type { SimilarTools } from "../search/add-similar.ts";
import { relatedness } from "./calibration.ts";
import type { QueryMeaning } from "./understand-queries.ts";
import type { ToolVectors } from "./tool-vectors.ts";

/** How many tools with a similar meaning are considered for each query. */
const maxSimilar = 50;

/** The tools that a user sees and that are similar to a query in meaning, if its meaning is known. */
export async function findSimilar(
  vectors: ToolVectors | undefined,
  meaning: QueryMeaning | undefined,
  user: string,
): Promise<SimilarTools | undefined> {
  if (vectors === undefined || meaning === undefined) return undefined;
  const { vector, deviationsOf } = meaning;
  const steps = vectors.findSimilar(vector, user, maxSimilar);
  const ids = await finishInTurns(steps, yieldToEventLoop);
  const of = (id: string) => deviationsOf(vectors.similarityOf(vector, user, id) ?? -1);
  const [best] = ids;
  const max = best === undefined ? 0 : of(best);
  return { ids, relatednessOf: (id) => relatedness(of(id), max) };
}
