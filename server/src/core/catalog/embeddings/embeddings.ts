import type { Config } from "#config";
import type { NodeContext } from "#core/kernel";
import { referenceTexts } from "./calibration.ts";
import { createEmbeddingClient, isRejection, reasonOf } from "./client.ts";
import { createHealth } from "./health.ts";
import { checkComparable } from "./reference.ts";
import type { Reference } from "./reference.ts";
import { createUnderstand } from "./understand-queries.ts";
import type { Understand } from "./understand-queries.ts";
import type { Vector } from "./vector.ts";

/** Embeddings of a model. Failures of its provider are handled here, and only cost searches its share. */
export type Embeddings = {
  model: string;
  /** What precedes the text of each tool. */
  toolPrefix: string;
  understand: Understand;
  /** Embeds texts of tools. Throws `EmbeddingError`. */
  embedTools(texts: readonly string[], signal: AbortSignal): Promise<Vector[]>;
  /**
   * Requests what calibrates similarities, unless it is known. Returns the dimension of the model, or undefined while its
   * provider is unavailable.
   */
  prepare(signal: AbortSignal): Promise<number | undefined>;
};

const toolTimeoutMs = 30_000;
/** Parsing as many embeddings takes a few milliseconds. */
export const maxTextsAtOnce = 8;

/** Creates the embeddings of the configured model; undefined without one. */
export function createEmbeddings(
  config: Config,
  { log, meter }: Pick<NodeContext, "log" | "meter">,
): Embeddings | undefined {
  const { EMBEDDINGS_MODEL: model, EMBEDDINGS_URL: url } = config;
  if (model === undefined || url === undefined) return undefined;
  const embed = createEmbeddingClient(config, meter);
  const reference: Reference = { vectors: [] };
  const health = createHealth(log, "tool");

  function embedTexts(texts: readonly string[], signal: AbortSignal): Promise<Vector[]> {
    const until = AbortSignal.any([signal, AbortSignal.timeout(toolTimeoutMs)]);
    return embed(texts, { use: "tool", signal: until });
  }

  async function embedReference(signal: AbortSignal): Promise<readonly Vector[]> {
    const vectors: Vector[] = [];
    for (let at = 0; at < referenceTexts.length; at += maxTextsAtOnce) {
      const texts = referenceTexts.slice(at, at + maxTextsAtOnce);
      vectors.push(...(await embedTexts(texts, signal)));
    }
    checkComparable({ vectors: vectors.slice(0, 1) }, vectors);
    return vectors;
  }

  return {
    model,
    toolPrefix: config.EMBEDDINGS_TOOL_PREFIX,
    understand: createUnderstand({ config, embed, health: createHealth(log, "query"), reference }),
    async embedTools(texts, signal) {
      try {
        const vectors = await embedTexts(texts, signal);
        checkComparable(reference, vectors);
        health.worked();
        return vectors;
      } catch (error) {
        if (!isRejection(error) && !signal.aborted) health.failed(reasonOf(error));
        throw error;
      }
    },
    async prepare(signal) {
      if (health.isPaused()) return undefined;
      try {
        if (reference.vectors.length === 0) {
          reference.vectors = await embedReference(signal);
          health.worked();
        }
      } catch (error) {
        if (!signal.aborted) health.failed(reasonOf(error));
      }
      return reference.vectors[0]?.values.length;
    },
  };
}
