export const attempt = {
  tries: "to load a module that is not part of it",
  blockedBecause: "the runtime resolves only the tool's modules and its own public ones",
  ends: { says: '^\\["No such module' },
};

const load = (name) => import(name);
export default async () => {
  const ways = [
    () => load("data:text/javascript,export default 1"),
    () => load("http://127.0.0.1/a.js"),
    () => load("https://example.com/a.js"),
    () => load("file:///etc/passwd"),
    () => load("/etc/passwd"),
    () => load("../app/dispatcher.js"),
    () => load("dispatcher.js"),
    () => load("wrapper.txt"),
    () => load("workerd:unsafe"),
    () => load("workerd:rtti"),
    () => load("cloudflare-internal:env"),
    () => load("node-internal:internal_inspect"),
    () => load("blob:1"),
    () => load("npm:zod"),
  ];
  const refusals = [];
  for (const way of ways) {
    try {
      return `got through: ${JSON.stringify(await way())}`;
    } catch (error) {
      refusals.push(error.code ?? error.message);
    }
  }
  return refusals;
};
