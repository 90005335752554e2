import type * as Sdk from "ai";
import type { LanguageModel } from "ai";
import type { Config } from "#config";

/** The SDK and the model, loaded for the first message that needs them. */
export type ChatModel = { sdk: typeof Sdk; model: LanguageModel };

/** Opens the configured language model; undefined without one. */
export function createChatModel(config: Config): (() => Promise<ChatModel>) | undefined {
  const { CHAT_MODEL_PROVIDER: provider, CHAT_MODEL: name } = config;
  if (provider === undefined || name === undefined) return undefined;
  return async () => {
    const sdk = await import("ai");
    // The warnings of the SDK go to the console and may quote messages.
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
    return { sdk, model: await openModel(config, provider, name) };
  };
}

async function openModel(
  config: Config,
  provider: NonNullable<Config["CHAT_MODEL_PROVIDER"]>,
  name: string,
): Promise<LanguageModel> {
  const { CHAT_MODEL_API_KEY: apiKey, CHAT_MODEL_URL: url } = config;
  const fetchModel = boundedFetch(config.CHAT_MODEL_TIMEOUT_MS);
  if (provider === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({
      fetch: fetchModel,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(url === undefined ? {} : { baseURL: url }),
    })(name);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({
    name: "chat",
    baseURL: url ?? "https://api.openai.com/v1",
    fetch: fetchModel,
    // The limit of tokens needs them in streamed responses as well.
    includeUsage: true,
    ...(apiKey === undefined ? {} : { apiKey }),
  })(name);
}

/** Limits the duration of a request including its body, and refuses redirects, which would pass on the API key. */
function boundedFetch(timeoutMs: number): typeof fetch {
  return (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    return fetch(input, { ...init, redirect: "error", signal });
  };
}
