/** Texts of a form as a whole. */
export const formMessages = {
  noInput: "This tool takes no input.",
  input: "Input",
  summary: (count: number) =>
    count === 1 ? "1 field needs your attention." : `${count} fields need your attention.`,
};

/** Texts of choices and checkboxes. */
export const choiceMessages = { choose: "Choose…", unset: "Not set", yes: "Yes", no: "No" };

/** Texts of fields that take files. */
export const fileMessages = {
  idHint: "ID of an uploaded file.",
  uploading: "Uploading…",
  progress: (label: string) => `Upload progress for ${label}`,
  failed: (reason: string) => `Upload failed. ${reason}`.trim(),
  pending: "Wait for the upload to finish.",
  remove: "Remove",
  removeFile: (fileName: string) => `Remove ${fileName}`,
};

/** Texts of fields that take JSON. */
export const jsonMessages = {
  hint: "Enter JSON.",
  invalid: (reason: string) => `Invalid JSON. ${reason}`.trim(),
};

/** Texts of lists. */
export const listMessages = {
  add: (label: string) => `Add item to ${label}`,
  item: (label: string, position: number) => `${label} ${position}`,
  remove: "Remove",
  removeItem: (item: string) => `Remove ${item}`,
  moveUp: (item: string) => `Move ${item} up`,
  moveDown: (item: string) => `Move ${item} down`,
  moved: (label: string, position: number, count: number) =>
    `${label}: moved to position ${position} of ${count}.`,
  removed: (label: string, position: number, count: number) =>
    `${label}: removed item ${position}. ${count} left.`,
};

/** Texts of fields whose names the person chooses. */
export const additionalFieldMessages = {
  add: (label: string) => `Add field to ${label}`,
  remove: "Remove",
  removeField: (name: string) => `Remove field ${name}`,
  name: "Name",
  value: "Value",
  unnamed: "Enter a name for each added field.",
  duplicate: (name: string) => `The field name "${name}" is already used.`,
};

/** Texts of objects that may be left out. */
export const optionalMessages = {
  add: (label: string) => `Add ${label}`,
  remove: (label: string) => `Remove ${label}`,
};

/** Texts of fields that take numbers. */
export const numberMessages = {
  invalid: "Must be a number.",
  range: (min: number, max: number) => `From ${min} to ${max}.`,
  min: (min: number) => `At least ${min}.`,
  max: (max: number) => `At most ${max}.`,
  above: (min: number) => `Greater than ${min}.`,
  below: (max: number) => `Less than ${max}.`,
};

/** Texts of fields that take times. */
export const timeMessages = { utc: "In UTC.", local: "In your local time zone." };

/** Texts of values that may be of several types. */
export const variantMessages = {
  unset: "Not set",
  type: (label: string) => `Type of ${label}`,
  value: (label: string, variant: string) => `${label}: ${variant}`,
};
