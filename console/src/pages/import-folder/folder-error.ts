/** A folder or an archive cannot be read. The message is for its user. */
export class FolderError extends Error {
  override name = "FolderError";
}
