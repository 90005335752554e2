/** Disposes each open file of the editor, by path. Independent of the editor module, which may not be loaded. */
const open = new Map<string, () => void>();

/** Registers how a file is disposed. */
export function rememberFile(path: string, dispose: () => void): void {
  open.set(path, dispose);
}

/** Closes all files of a folder and drops their undo history. */
export function closeFiles(folder: string): void {
  for (const [path, dispose] of open) {
    if (!path.startsWith(`${folder}/`)) continue;
    open.delete(path);
    dispose();
  }
}
