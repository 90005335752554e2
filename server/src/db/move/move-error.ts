/** The reason why a database was not moved, as a message for the operator. The target is unchanged. */
export class MoveError extends Error {
  override name = "MoveError";
}
