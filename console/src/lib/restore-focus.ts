/**
 * Moves a lost focus to the page's content, for example after the focused row was deleted. Otherwise keyboard users would start
 * again at the top of the document. Does nothing while an element has the focus.
 */
export function restoreFocus(): void {
  // A closing dialog restores the focus in the next frame.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      document.querySelector("main")?.focus({ preventScroll: true });
    }),
  );
}
