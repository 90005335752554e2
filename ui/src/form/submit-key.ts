/** Enter in a single-line field, or Ctrl+Enter or Command+Enter anywhere. */
export function isSubmitKey(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey) return true;
  const { target } = event;
  return target instanceof HTMLInputElement && !["file", "checkbox", "radio"].includes(target.type);
}
