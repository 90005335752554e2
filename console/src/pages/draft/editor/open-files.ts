/** How each file that the editor holds is let go, by its path. It knows nothing of the editor, which may not be loaded. */
const open = new Map<string, () => void>();

/** Remembers how a file is let go. */
export function rememberFile(path: string, forget: () => void): void {
  open.set(path, forget);
}

/** Lets go of all files of a folder, with what could be undone in them. */
export function closeFiles(folder: string): void {
  for (const [path, forget] of open) {
    if (!path.startsWith(`${folder}/`)) continue;
    open.delete(path);
    forget();
  }
}
