import type { DraftStore } from "../store/draft-store.ts";
import { dependenciesOf, objectAt, packagesOf, readPackages } from "./read-definition.ts";

/** The path of the packages in `DraftState.texts`, as they were typed. */
export const packagesPath = "source/dependencies";

/** Changes the packages to the typed lines. If some are invalid, the text is stored as typed as well. */
export function writePackages(store: DraftStore, lines: readonly string[]): void {
  const { packages, invalid } = readPackages(lines);
  store.setText(packagesPath, invalid.length === 0 ? undefined : lines.join("\n"));
  const { dependencies: _old, ...source } = objectAt(store.getState().definition, "source");
  const isEmpty = Object.keys(packages).length === 0;
  store.change({ source: isEmpty ? source : { ...source, dependencies: packages } });
}

/** Adds a package, in the place of its name without a version if it was typed. A declared package keeps its version. */
export function addPackage(store: DraftStore, name: string, version: string): void {
  const { definition, texts } = store.getState();
  if (Object.hasOwn(dependenciesOf(definition), name)) return;
  const lines = texts[packagesPath]?.split("\n") ?? packagesOf(definition);
  const line = `${name}@${version}`;
  const at = lines.findIndex((one) => one.trim() === name);
  writePackages(store, at === -1 ? [...lines, line] : lines.with(at, line));
}
