/**
 * Markdown in which no address hides behind other words: what would make a link of either kind, or an image, is
 * pulled apart. Addresses that stand for themselves stay.
 */
export function plainLinks(markdown: string): string {
  return markdown.replaceAll("](", "] (").replaceAll("]:", "] :");
}
