export const attempt = {
  tries: "to keep something in a cache that others read",
  refusedBecause: "there is no cache",
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
