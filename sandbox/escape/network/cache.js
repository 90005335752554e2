export const attempt = {
  tries: "to store something in a shared cache",
  blockedBecause: "there is no cache",
  ends: { says: "No Cache was configured" },
  allowedHosts: ["http://{witness}"],
};

export default async () => {
  const ways = [
    () =>
      caches.default.put(
        "http://a.example/",
        new Response("left", { headers: { "cache-control": "max-age=60" } }),
      ),
    () => caches.open("left").then((cache) => cache.put("http://a.example/", new Response("left"))),
    () => caches.default.match("http://a.example/"),
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
