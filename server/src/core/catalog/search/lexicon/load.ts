import { finishInTurns } from "#lib/steps";
import { loadDictionary } from "./dictionary.ts";
import { loadLexicon } from "./lexicon.ts";

let loading: Promise<void> | undefined;

/** Reads everything that searches need, once, and calls `takeTurn` between steps of a few milliseconds. */
export function loadWords(takeTurn: () => Promise<unknown>): Promise<void> {
  loading ??= runSteps(takeTurn).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function runSteps(takeTurn: () => Promise<unknown>): Promise<void> {
  await finishInTurns(loadLexicon(), takeTurn);
  await finishInTurns(loadDictionary(), takeTurn);
}
