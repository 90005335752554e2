let region: HTMLElement | undefined;

/** Has screen readers read a text that the page does not show. */
export function announce(text: string): void {
  if (region === undefined) {
    region = document.createElement("div");
    region.className = "sr-only";
    region.role = "status";
    region.dataset["liveAnnouncer"] = "";
    document.body.append(region);
  }
  // The same text is read again only if it changes.
  region.textContent = "";
  region.textContent = text;
}
