/** Downloads bytes as a file. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has started reading.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
