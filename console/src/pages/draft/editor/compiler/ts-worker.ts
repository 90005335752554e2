import { createLanguage } from "./language-service.ts";
import type { Language } from "./language-service.ts";

/** A call of the language service, and its answer. Answers come in the order of the calls. */
export type Request = {
  readonly id: number;
  readonly method: keyof Language;
  readonly args: readonly unknown[];
};
export type Answer = { readonly id: number; readonly value?: unknown; readonly error?: string };

const language = createLanguage();

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  const { id, method, args } = data;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Workers have none.
  self.postMessage({ id, ...answer(method, args) } satisfies Answer);
});

function answer(method: keyof Language, args: readonly unknown[]): Omit<Answer, "id"> {
  try {
    return { value: Reflect.apply(language[method], undefined, args) };
  } catch (error) {
    // The compiler throws for some code. The next call works again.
    return { error: String(error) };
  }
}
