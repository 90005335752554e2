/**
 * The library of the authorization server, without the warning that it prints on every release of Node
 * that is not in long-term support: an operator can do nothing about it, and its tests of ours pass.
 */
export const { Provider, errors, interactionPolicy } = await quietly(() => import("oidc-provider"));

async function quietly<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => {};
  try {
    return await load();
  } finally {
    console.warn = warn;
  }
}
