/**
 * For when what had the focus may be gone, such as a row that was deleted: then the page's content gets it, and not the top of
 * the document, where one would have to begin anew. Does nothing while something has it.
 */
export function restoreFocus(): void {
  // A dialog that closes gives the focus back in the next frame.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      document.querySelector("main")?.focus({ preventScroll: true });
    }),
  );
}
