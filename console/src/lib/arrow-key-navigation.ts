import type { KeyboardEvent } from "react";

/**
 * Moves the focus with the arrow keys between a search field and the links of its results; Enter in the field opens the first
 * result. The links have `data-row-link`; the handler belongs on an element around both.
 */
export function handleArrowKeys(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget, target } = event;
  if (!(target instanceof HTMLElement) || event.nativeEvent.isComposing) return;
  const links = [...currentTarget.querySelectorAll<HTMLElement>("[data-row-link]")];
  const at = links.indexOf(target);
  const isField = target instanceof HTMLInputElement;
  if (!isField && at === -1) return;
  if (key === "Enter" && isField) {
    // Wait for the results of the current text.
    const isReady = target.value.trim() !== "" && !currentTarget.querySelector("[aria-busy=true]");
    if (isReady) links[0]?.click();
  } else if (key === "ArrowDown") links[at + 1]?.focus();
  else if (key === "ArrowUp" && at > 0) links[at - 1]?.focus();
  else if (key === "ArrowUp" && at === 0) {
    currentTarget.querySelector<HTMLElement>("[role=searchbox]")?.focus();
  } else return;
  event.preventDefault();
}
