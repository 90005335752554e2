export const attempt = {
  tries: "to replace the wrapper's entrypoint and read the input of the next run",
  blockedBecause: "the entrypoint is frozen",
  runs: [{}, {}],
  ends: { says: "refused" },
};

export default async () => {
  const name = "toolhost-wrapper.js";
  const ours = await import(name);
  const seen = (globalThis.leftSeen ??= []);
  const ways = [
    () =>
      (ours.default.prototype.fetch = function (request) {
        seen.push([...request.headers]);
        return new Response("1", { headers: { "x-outcome": "completed" } });
      }),
    () => Object.setPrototypeOf(ours.default.prototype, { fetch: () => seen.push("prototype") }),
    () => Object.setPrototypeOf(ours.default, class {}),
    () => Object.defineProperty(ours.default, "prototype", { value: {} }),
    () => (ours.default = class {}),
  ];
  const ends = ways.map((way) => {
    try {
      way();
      return "changed";
    } catch {
      return "refused";
    }
  });
  return ends.includes("changed") || seen.length > 0 ? "got through" : ends;
};
