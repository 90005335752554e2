import { readConfig } from "../../src/config.ts";
import { createEmbeddings, maxTextsAtOnce } from "../../src/core/catalog/embeddings/embeddings.ts";
import { findSimilar } from "../../src/core/catalog/embeddings/find-similar.ts";
import { textOf } from "../../src/core/catalog/embeddings/tool-text.ts";
import { createToolVectors } from "../../src/core/catalog/embeddings/tool-vectors.ts";
import type { SimilarTools } from "../../src/core/catalog/search/add-similar.ts";
import type { SearchableTool } from "../../src/core/catalog/search/tool-fields.ts";
import { createLog } from "../../src/lib/log.ts";
import { createMeter } from "../../src/telemetry/meter.ts";

/** Finds the tools of a catalog that are similar to a query in meaning. */
type FindSimilar = (query: string) => Promise<SimilarTools | undefined>;

/** Embeds a catalog with the model of the settings EMBEDDINGS_*; without one, nothing is similar. */
export async function embedCatalog(catalog: readonly SearchableTool[]): Promise<FindSimilar> {
  const config = readConfig();
  const embeddings = createEmbeddings(config, { log: createLog("warn"), meter: createMeter() });
  if (embeddings === undefined) return async () => undefined;
  const { signal } = new AbortController();
  if ((await embeddings.prepare(signal)) === undefined) throw new Error("no embeddings");
  const vectors = createToolVectors(embeddings.toolPrefix);
  for (const tool of catalog) vectors.put(tool.id, null, textOf(tool));
  for (;;) {
    const wanted = vectors.wanted(maxTextsAtOnce);
    if (wanted.length === 0) break;
    const texts = wanted.map(({ text }) => text);
    const embedded = await embeddings.embedTools(texts, signal);
    for (const [at, { hash }] of wanted.entries()) vectors.provide(hash, embedded[at]);
  }
  return async (query) => {
    const [meaning] = await embeddings.understand("", [query]);
    return findSimilar(vectors, meaning, "");
  };
}
