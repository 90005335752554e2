export const attempt = {
  tries: "to release its process with calls to itself under invented request IDs",
  blockedBecause: "only the IDs of the dispatcher count, and a tool never sees one",
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
  for (let i = 0; i < 20; i++) await exports.default[crypto.randomUUID()](body);
  return "answered";
};
