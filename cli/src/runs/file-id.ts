/** Whether a value has the form of the ID of a file. */
export const isFileId = (value: unknown): boolean =>
  typeof value === "string" && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
