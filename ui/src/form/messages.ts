/** Texts of a form as a whole. */
export const noInput = "This tool takes no input.";
export const inputLabel = "Input";
export const problemSummary = (count: number) =>
  count === 1 ? "1 field needs your attention." : `${count} fields need your attention.`;

/** Texts of choices and checkboxes. */
export const choose = "Choose…";
export const notSet = "Not set";
export const yes = "Yes";
export const no = "No";

/** Texts of fields that take files. */
export const fileIdHint = "ID of an uploaded file.";
export const uploading = "Uploading…";
export const uploadProgress = (label: string) => `Upload progress for ${label}`;
export const uploadFailed = (reason: string) => `Upload failed. ${reason}`.trim();
export const uploadPending = "Wait for the upload to finish.";
export const remove = "Remove";
export const removeFile = (fileName: string) => `Remove ${fileName}`;

export const chooseFile = "Choose a file";
export const orDrop = "or drop it here";
export const uploaded = (fileName: string, size: string) =>
  size === "" ? fileName : `${fileName}, ${size}`;

/** Texts of fields that take colors. */
export const pickColor = (label: string) => `Pick ${label}`;
export const colorExample = "#3366cc";

/** Texts of fields that take JSON. */
export const jsonHint = "Enter JSON.";
export const invalidJson = (reason: string) => `Invalid JSON. ${reason}`.trim();

/** Texts of lists. */
export const addItem = (label: string) => `Add item to ${label}`;
export const itemLabel = (label: string, position: number) => `${label} ${position}`;
export const removeItem = (item: string) => `Remove ${item}`;
export const moveUp = (item: string) => `Move ${item} up`;
export const moveDown = (item: string) => `Move ${item} down`;
export const itemMoved = (label: string, position: number, count: number) =>
  `${label}: moved to position ${position} of ${count}.`;
export const itemRemoved = (label: string, position: number, count: number) =>
  `${label}: removed item ${position}. ${count} left.`;

/** Texts of fields whose names the user chooses. */
export const addField = (label: string) => `Add field to ${label}`;
export const removeField = (name: string) => `Remove field ${name}`;
export const fieldName = "Name";
export const fieldValue = "Value";
export const unnamedField = "Enter a name for each added field.";
export const duplicateField = (name: string) => `The field name "${name}" is already used.`;

/** Texts of objects that may be left out. */
export const addOptional = (label: string) => `Add ${label}`;
export const removeOptional = (label: string) => `Remove ${label}`;

/** Texts of fields that take numbers. */
export const invalidNumber = "Must be a number.";
export const between = (min: number, max: number) => `From ${min} to ${max}.`;
export const atLeast = (min: number) => `At least ${min}.`;
export const atMost = (max: number) => `At most ${max}.`;
export const greaterThan = (min: number) => `Greater than ${min}.`;
export const lessThan = (max: number) => `Less than ${max}.`;

/** Texts of fields that take times. */
export const inUtc = "In UTC.";
export const inLocalTime = "In your local time zone.";

/** Texts of values that may be of several types. */
export const variantType = (label: string) => `Type of ${label}`;
export const variantValue = (label: string, variant: string) => `${label}: ${variant}`;
