import { useState } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { showToast } from "#components/toasts";
import { useDraft } from "../draft-context.ts";
import { messages } from "./messages.ts";
import { addPackage } from "./write-packages.ts";

type NewestPackages = {
  /** Adds the newest version of a package to the draft. */
  add: (name: string) => void;
  isAdding: (name: string) => boolean;
  /** Why the last attempt to add a package failed. */
  errorOf: (name: string) => string | undefined;
};

type Attempt = { error?: string };

/** Adds packages without a version, which the service finds in its registry. */
export function useNewestPackages(): NewestPackages {
  const { store } = useDraft();
  const [attempts, setAttempts] = useState<ReadonlyMap<string, Attempt>>(new Map());
  const set = (name: string, attempt?: Attempt) =>
    setAttempts((before) => {
      const others = [...before].filter(([other]) => other !== name);
      return new Map(attempt === undefined ? others : [...others, [name, attempt]]);
    });
  const isAdding = (name: string) => {
    const attempt = attempts.get(name);
    return attempt !== undefined && attempt.error === undefined;
  };
  const add = (name: string) => {
    if (isAdding(name)) return;
    set(name, {});
    api
      .get("/packages/newest", { query: { name } })
      .then(({ version }) => {
        addPackage(store, name, version);
        set(name);
        showToast(messages.packages.added(name, version));
      })
      .catch((error: unknown) => set(name, { error: errorMessage(error) }));
  };
  return { add, isAdding, errorOf: (name) => attempts.get(name)?.error };
}
