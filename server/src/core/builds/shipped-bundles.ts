import type { Bundle } from "./builder.ts";

/** The code of the tools that ship with the service, by slug. In the bundled service, it is part of the bundle. */
export async function loadShippedBundles(): Promise<ReadonlyMap<string, Bundle>> {
  const { bundleShippedTools } = await import("./bundle-shipped-tools.ts");
  return new Map(Object.entries(await bundleShippedTools()));
}
