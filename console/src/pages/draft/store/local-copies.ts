import type { JsonObject } from "@toolhost/contract";
import { isObject, parseJson } from "#lib/json";

/** The unsaved content of a draft, as this browser stores it. */
export type LocalCopy = {
  /** The revision that the changes are based on. */
  revision: number;
  definition: JsonObject;
  /** Invalid JSON as it was typed, by its path in the definition. */
  texts: Readonly<Record<string, string>>;
};

export type LocalCopies = {
  read(draftId: string): LocalCopy | undefined;
  /** Returns false when the storage is full or unavailable. */
  write(draftId: string, copy: LocalCopy): boolean;
  remove(draftId: string): void;
};

const keyOf = (draftId: string) => `toolhost-draft-${draftId}`;

/** Stores copies in the browser's storage synchronously, so that nothing is lost when the page closes immediately. */
export function createLocalCopies(
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">,
): LocalCopies {
  return {
    read: (draftId) => {
      const stored = parseJson(storage.getItem(keyOf(draftId)) ?? "");
      if (!isObject(stored)) return undefined;
      const { revision, definition, texts } = stored;
      if (typeof revision !== "number" || !isObject(definition)) return undefined;
      const validTexts = Object.entries(isObject(texts) ? texts : {}).flatMap(([path, text]) =>
        typeof text === "string" ? [[path, text] as const] : [],
      );
      return { revision, definition, texts: Object.fromEntries(validTexts) };
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
