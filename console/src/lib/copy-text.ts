/** Takes a text to the clipboard. Throws what people are told when the browser refuses. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    // Pages that came by plain http from another machine have no clipboard of that kind.
    if (copyByCommand(text)) return;
    const words = "The browser does not let this page copy. Mark the text and copy it.";
    throw new Error(words, { cause: error });
  }
}

/** As if the person had copied something, which is then another text; false where the browser does not do that. */
function copyByCommand(text: string): boolean {
  let isCopied = false;
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    isCopied = event.clipboardData !== null;
  };
  document.addEventListener("copy", give, { capture: true, once: true });
  // oxlint-disable-next-line typescript/no-deprecated -- Nothing else copies on such pages.
  document.execCommand("copy");
  document.removeEventListener("copy", give, { capture: true });
  return isCopied;
}
