/**
 * Markdown in which no address hides behind other words: what would make a link of either kind, or an image, is
 * pulled apart, also where something that nobody sees stands in between. Addresses that stand for themselves stay.
 */
export function unmaskLinks(markdown: string): string {
  return markdown.replaceAll(/\](?=\p{C}*[(:])/gu, "] ");
}
