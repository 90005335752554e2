/**
 * The library of the authorization server, without the warning that it prints on every release of Node
 * that is not in long-term support: an operator can do nothing about it.
 */
export const { Provider, errors, interactionPolicy } = await quietly(() => import("oidc-provider"));

async function quietly<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console;
  // oxlint-disable-next-line no-console
  console.warn = () => {};
  try {
    return await load();
  } finally {
    // oxlint-disable-next-line no-console
    console.warn = warn;
  }
}
