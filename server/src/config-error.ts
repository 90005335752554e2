import { OperatorError } from "#lib/operator-error";

/** Invalid configuration. The message is one line for the operator. */
export class ConfigError extends OperatorError {
  override name = "ConfigError";
}
