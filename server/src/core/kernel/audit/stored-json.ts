/** An object that an event stores as JSON. Empty if it was altered so that it cannot be read, which verification reports. */
export function parseStored(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
