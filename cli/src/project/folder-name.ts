const pattern = /^[a-z0-9](?:[a-z0-9_-]{0,78}[a-z0-9])?$/;
/** Windows opens a device for these names. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Whether a text can be the folder of a tool. It can lead to no other place on any platform. */
export function isFolderName(text: string): boolean {
  return pattern.test(text) && !reserved.test(text);
}

/** The folder for a tool of the server, from its name without the random suffix. The name may be hostile. */
export function folderNameOf(toolName: string): string {
  const base = toolName.replace(/_[a-z0-9]{4}$/, "").toLowerCase();
  const name = base.replaceAll(/[^a-z0-9]+/g, "-").slice(0, 60);
  const clean = name.replaceAll(/^-+|-+$/g, "");
  if (clean === "") return "tool";
  return isFolderName(clean) ? clean : `tool-${clean}`;
}
