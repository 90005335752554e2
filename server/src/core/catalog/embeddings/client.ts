import type { Config } from "#config";
import type { Meter } from "#telemetry";
import { referenceTexts } from "./calibration.ts";
import { InvalidResponseError, readEmbeddings } from "./read-response.ts";
import type { Vector } from "./vector.ts";

/** Statuses of a request that the provider understands but whose texts it does not accept. */
const rejections: ReadonlySet<number> = new Set([400, 413, 422]);

/** With this status, providers report texts that are too long for them, or a model that returned no numbers, but also outages. */
const ambiguousStatus = 500;

/** What texts are embedded for. */
export type EmbeddingUse = "query" | "tool";

/** Why there are no embeddings, in words that can be logged. */
export class EmbeddingError extends Error {
  /** Whether the provider rejected these texts, such as one that is too long. */
  readonly areTextsRejected: boolean;
  /** Whether the texts may be the cause, so that other texts tell whether the provider works. */
  readonly isAmbiguous: boolean;
  constructor(message: string, { areTextsRejected = false, isAmbiguous = false } = {}) {
    super(message);
    this.areTextsRejected = areTextsRejected;
    this.isAmbiguous = isAmbiguous;
  }
}

export type Embed = (
  texts: readonly string[],
  options: { use: EmbeddingUse; signal: AbortSignal },
) => Promise<Vector[]>;

/**
 * Requests embeddings from a server with the API of OpenAI. All of them have one dimension. A failure of texts that the
 * provider cannot embed is a rejection if it can embed another text, so that no author of a text causes an outage.
 */
export function createEmbeddingClient(config: Config, meter: Meter): Embed {
  const embed = createRequests(config, meter);
  return async (texts, options) => {
    try {
      return await embed(texts, options);
    } catch (error) {
      if (!(error instanceof EmbeddingError) || !error.isAmbiguous) throw error;
      const isWorking = await embed(referenceTexts.slice(0, 1), options).then(
        () => true,
        () => false,
      );
      throw isWorking ? new EmbeddingError(error.message, { areTextsRejected: true }) : error;
    }
  };
}

function createRequests(config: Config, meter: Meter): Embed {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: key } = config;
  const send = (init: { body: string; signal: AbortSignal }) =>
    fetch(`${url}/embeddings`, {
      ...init,
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      // A redirect would pass on the texts and the API key.
      redirect: "error",
    });
  return async (texts, { use, signal }) => {
    const startedAt = performance.now();
    const end = (isOk: boolean) =>
      meter.embeddingsEnded({ use, isOk, ms: performance.now() - startedAt });
    // Providers reject half a surrogate pair, which a cut may leave.
    const body = JSON.stringify({ model, input: texts.map((text) => text.toWellFormed()) });
    try {
      const response = await send({ body, signal }).catch(
        // The provider may have closed an idle connection just before it was used again.
        (error: unknown) => {
          if (codeOf(error) !== "UND_ERR_SOCKET") throw error;
          return send({ body, signal });
        },
      );
      if (!response.ok) {
        await response.body?.cancel();
        throw new EmbeddingError(`the provider returned status ${response.status}`, {
          areTextsRejected: rejections.has(response.status),
          isAmbiguous: response.status === ambiguousStatus,
        });
      }
      const vectors = await readEmbeddings(response, texts.length);
      end(true);
      return vectors;
    } catch (error) {
      end(false);
      if (error instanceof EmbeddingError) throw error;
      const isAmbiguous = error instanceof InvalidResponseError;
      throw new EmbeddingError(explain(error, signal), { isAmbiguous });
    }
  };
}

function explain(error: unknown, signal: AbortSignal): string {
  if (error instanceof InvalidResponseError) return error.message;
  if (signal.aborted) return "the provider did not respond in time";
  const code = codeOf(error);
  return code === undefined
    ? "the provider cannot be reached"
    : `the provider cannot be reached: ${code}`;
}

function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
}

/** Whether the provider rejected the texts and not the request. */
export function isRejection(error: unknown): boolean {
  return error instanceof EmbeddingError && error.areTextsRejected;
}

/** The reason of a failure, in words that can be logged. */
export function reasonOf(error: unknown): string {
  return error instanceof EmbeddingError ? error.message : String(error);
}
