import { z } from "zod";
import { isLoopbackHost } from "../../server/src/config-values.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const openApi = z.object({ servers: z.tuple([z.object({ url: z.url() })]) });

/** The address of the service: `TOOLHOST_URL`, what its settings say now, or what `first-run.json` said at its first start. */
export function addressOf(environment: Environment, atFirstStart: string | undefined): string {
  const { TOOLHOST_URL, BASE_URL, PORT } = environment;
  const atPort = PORT && `http://localhost:${PORT}`;
  return TOOLHOST_URL || BASE_URL || atPort || atFirstStart || "http://localhost:3000";
}

/**
 * Throws if no service answers at the address, or if its public address is not on this machine: the password of the sample
 * accounts is public.
 */
export async function requireDevelopmentServer(baseUrl: string): Promise<void> {
  const response = await fetch(`${baseUrl}/api/v1/openapi.json`).catch(() => undefined);
  if (response?.ok !== true) {
    throw new Error(`No service answers at ${baseUrl}. Start it, or set TOOLHOST_URL.`);
  }
  const { servers } = openApi.parse(await response.json());
  const { hostname, origin } = new URL(servers[0].url);
  if (isLoopbackHost(hostname.replaceAll(/[[\]]/g, ""))) return;
  throw new Error(
    `${baseUrl} serves ${origin}, which is not on this machine. Sample accounts have a public password, so only a server for development can be filled.`,
  );
}
