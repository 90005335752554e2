/** Invalid configuration. The message is one line for the operator. */
export class ConfigError extends Error {
  override name = "ConfigError";
}
