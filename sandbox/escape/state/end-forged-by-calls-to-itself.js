export const attempt = {
  tries: "to release its process with requests to itself that end while its work continues",
  blockedBecause: "only requests by the dispatcher count",
  ends: { says: "answered" },
};

export default async (input) => {
  if (input?.inner) return "inner";
  const { exports, waitUntil } = process.getBuiltinModule("cloudflare:workers");
  const meta = {
    logNonce: "x",
    runId: "x",
    credentials: {},
    logBytes: 0,
    outputBytes: 100,
    wallMs: 1000,
  };
  const body = `${JSON.stringify(meta)}\n{"inner":true}`;
  waitUntil(
    new Promise((resolve) => setTimeout(resolve, 40)).then(() => {
      for (;;);
    }),
  );
  await (await exports.default.fetch("http://tool/run", { method: "POST", body })).text();
  return "answered";
};
