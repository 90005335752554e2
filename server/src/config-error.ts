/** A setting has a value the service cannot work with. Its message is one line for the operator. */
export class ConfigError extends Error {
  override name = "ConfigError";
}
