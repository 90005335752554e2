import { messages } from "./messages.ts";

/** Copies a text to the clipboard. Throws an error with a text for the user if the browser refuses. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    // Browsers offer this clipboard only to secure contexts (HTTPS or localhost).
    if (copyByCommand(text)) return;
    throw new Error(messages.copyFailed, { cause: error });
  }
}

/** Replaces the text of a copy command; false if the browser does not support that. */
function copyByCommand(text: string): boolean {
  let isCopied = false;
  const setText = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    isCopied = event.clipboardData !== null;
  };
  document.addEventListener("copy", setText, { capture: true, once: true });
  // oxlint-disable-next-line typescript/no-deprecated -- Nothing else copies in insecure contexts.
  document.execCommand("copy");
  document.removeEventListener("copy", setText, { capture: true });
  return isCopied;
}
