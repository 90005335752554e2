import { messages } from "./messages.ts";

const text = messages.controls;
const labels: readonly [string, string][] = [
  ["textarea.body-param__text", text.body],
  ["textarea:not(.body-param__text)", text.value],
  ["select.content-type", text.mediaType],
  [".body-param-content-type select", text.bodyMediaType],
  ["select", text.value],
  ["input.operation-filter-input", text.filter],
  ["input:not([type=checkbox])", text.value],
];

/** Adds missing accessible names to the library's controls after each render, and makes scrollable blocks reachable by keyboard. */
export function nameControls(element: HTMLElement): void {
  const addNames = () => {
    for (const [selector, label] of labels) {
      for (const control of element.querySelectorAll(selector)) {
        if (hasName(control)) continue;
        const row = control.closest("tr")?.getAttribute("data-param-name");
        control.setAttribute("aria-label", row ?? label);
      }
    }
    for (const block of element.querySelectorAll("pre:not([tabindex])")) {
      block.setAttribute("tabindex", "0");
    }
  };
  new MutationObserver(addNames).observe(element, { childList: true, subtree: true });
}

function hasName(control: Element): boolean {
  return (
    control.hasAttribute("aria-label") ||
    control.hasAttribute("aria-labelledby") ||
    control.closest("label") !== null
  );
}
