import type * as Sdk from "ai";
import type { LanguageModel } from "ai";
import type { Config } from "#config";

/** What a language model is asked with; loaded when the first message needs it, and never without a model. */
export type ChatModel = { sdk: typeof Sdk; model: LanguageModel };

/** Opens the language model that the server is set up for; undefined where there is none. */
export function createChatModel(config: Config): (() => Promise<ChatModel>) | undefined {
  const { CHAT_MODEL_PROVIDER: provider, CHAT_MODEL: name } = config;
  if (provider === undefined || name === undefined) return undefined;
  return async () => {
    const sdk = await import("ai");
    // What it warns of goes to the console, and may quote a message.
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
    ...(apiKey === undefined ? {} : { apiKey }),
  })(name);
}

/** One request has its own time, answer and all, and its key goes to no other address than the one that was set. */
function boundedFetch(timeoutMs: number): typeof fetch {
  return (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    return fetch(input, { ...init, redirect: "error", signal });
  };
}
