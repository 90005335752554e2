import { OperatorError } from "#lib/operator-error";

/** Why there is no backup, or no restored data. The message is for the operator. */
export class BackupError extends OperatorError {
  override name = "BackupError";
}
