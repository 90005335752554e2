import { OperatorError } from "#lib/operator-error";

/** The reason why a database was not moved, as a message for the operator. The target is unchanged. */
export class MoveError extends OperatorError {
  override name = "MoveError";
}
