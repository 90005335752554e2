import type { ToolSource } from "@toolhost/contract";
import { modulesDir } from "@toolhost/starter-tools";
import { sha256 } from "#lib/hash";
import type { Bundle } from "./builder.ts";
import { toServiceError } from "./explain-failure.ts";
import { bundle } from "./worker/bundle.ts";
import { RefusedError } from "./worker/messages.ts";

const maxBytes = 5 * 1024 * 1024;

/**
 * Bundles a tool that ships with the service, in this process and with the packages of a trusted folder. Must not be used
 * for other code, since esbuild reads any file that the code refers to.
 */
export async function buildShippedTool({
  dependencies = {},
  ...source
}: ToolSource): Promise<Bundle> {
  try {
    const declared = Object.keys(dependencies);
    const folder = modulesDir;
    const { code, sourceMap } = await bundle({
      source,
      declared,
      folder,
      maxBytes,
      isShipped: true,
    });
    return { code, hash: sha256(code), sourceMap };
  } catch (error) {
    throw error instanceof RefusedError ? toServiceError(error) : error;
  }
}
