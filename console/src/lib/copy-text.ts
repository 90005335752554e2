/** Takes a text to the clipboard. Throws what people are told when the browser refuses. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    // Browsers refuse it on pages that came by plain http from another machine, where there is no clipboard at all.
    const words = "The browser does not let this page copy. Mark the text and copy it.";
    throw new Error(words, { cause: error });
  }
}
