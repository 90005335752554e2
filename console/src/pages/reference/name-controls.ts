const labels: readonly [string, string][] = [
  ["textarea.body-param__text", "Request body"],
  ["textarea:not(.body-param__text)", "Value"],
  ["select.content-type", "Media type"],
  [".body-param-content-type select", "Media type of the request body"],
  ["select", "Value"],
  ["input.operation-filter-input", "Filter by tag or path"],
  ["input:not([type=checkbox])", "Value"],
];

/** Gives the library's controls the names that they lack, whenever it draws some, and makes what scrolls reachable by keyboard. */
export function nameControls(element: HTMLElement): void {
  const mend = () => {
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
  new MutationObserver(mend).observe(element, { childList: true, subtree: true });
}

function hasName(control: Element): boolean {
  return (
    control.hasAttribute("aria-label") ||
    control.hasAttribute("aria-labelledby") ||
    control.closest("label") !== null
  );
}
