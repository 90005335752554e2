import type { Config } from "#config";

/** The origins whose pages may use a session. On a loopback server, each of its names is allowed. */
export function allowedOrigins(config: Config): ReadonlySet<string> {
  const origins = new Set([config.baseUrl, config.mcpUrl].map((url) => new URL(url).origin));
  if (config.isLoopback) {
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      origins.add(`http://${host}:${config.PORT}`);
    }
  }
  return origins;
}
