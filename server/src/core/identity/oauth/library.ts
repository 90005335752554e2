/**
 * Loads the library of the authorization server without its warning about Node.js releases without long-term support,
 * which operators can do nothing about.
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
