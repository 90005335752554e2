import type { JsonObject } from "@toolhost/contract";
import { isObject, parseJson } from "#lib/json";

/** What this browser keeps of a draft until the service has it. */
export type LocalCopy = {
  /** The revision that it was made from. */
  revision: number;
  definition: JsonObject;
  /** What was typed where JSON is expected and is none yet, by the place it belongs to. */
  texts: Readonly<Record<string, string>>;
};

export type LocalCopies = {
  read(draftId: string): LocalCopy | undefined;
  /** False when the browser had no room, or keeps nothing for this page. */
  write(draftId: string, copy: LocalCopy): boolean;
  remove(draftId: string): void;
};

const keyOf = (draftId: string) => `toolhost-draft-${draftId}`;

/** Copies in this browser's storage. It is written at once, so that nothing is lost when the page dies in the next moment. */
export function createLocalCopies(
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">,
): LocalCopies {
  return {
    read: (draftId) => {
      const kept = parseJson(storage.getItem(keyOf(draftId)) ?? "");
      if (!isObject(kept)) return undefined;
      const { revision, definition, texts } = kept;
      if (typeof revision !== "number" || !isObject(definition)) return undefined;
      const words = Object.entries(isObject(texts) ? texts : {}).flatMap(([place, text]) =>
        typeof text === "string" ? [[place, text] as const] : [],
      );
      return { revision, definition, texts: Object.fromEntries(words) };
    },
    write: (draftId, copy) => {
      try {
        storage.setItem(keyOf(draftId), JSON.stringify(copy));
        return true;
      } catch {
        return false;
      }
    },
    remove: (draftId) => storage.removeItem(keyOf(draftId)),
  };
}
