/**
 * Markdown without masked links: separates the parts of inline and reference links and images, even with invisible
 * characters in between, so that no URL hides behind other text. Bare URLs stay.
 */
export function unmaskLinks(markdown: string): string {
  return markdown.replaceAll(/\](?=\p{C}*[(:])/gu, "] ");
}
