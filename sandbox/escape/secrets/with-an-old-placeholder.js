export const attempt = {
  tries: "to use a placeholder of an earlier run",
  blockedBecause: "a placeholder is valid for only one run",
  runs: [{}, {}],
  seen: ["GET /old", "GET /old"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ witness }, { credentials }) => {
  globalThis.leftKey ??= credentials.KEY;
  const answer = await fetch(`http://${witness}/old`, { headers: { "x-key": globalThis.leftKey } });
  const { headers } = await answer.json();
  return headers["x-key"] === globalThis.leftKey ? "refused" : "sent";
};
