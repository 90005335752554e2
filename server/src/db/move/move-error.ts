/** Why a database was not moved. Its message is for the operator; the target is as it was. */
export class MoveError extends Error {
  override name = "MoveError";
}
