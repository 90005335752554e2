import { createToolInput } from "@toolhost/contract";
import { readStarterTools } from "@toolhost/starter-tools";
import { buildShippedTool } from "./build-shipped-tool.ts";
import type { Bundle } from "./builder.ts";

/** Bundles the tools that ship with the service, by slug. */
export async function bundleShippedTools(): Promise<Record<string, Bundle>> {
  const tools = await readStarterTools();
  const bundles = tools.map(async ({ slug, draft }) => {
    const { source } = createToolInput.parse(draft);
    return [slug, await buildShippedTool(source)] as const;
  });
  return Object.fromEntries(await Promise.all(bundles));
}
