export const attempt = {
  tries: "to overwhelm the dispatcher with ended requests to itself",
  blockedBecause: "they are dropped on arrival",
  limits: { cpuMs: 8000 },
  ends: { says: "answered" },
};

export default async (input) => {
  if (input?.inner) return 1;
  const { exports } = process.getBuiltinModule("cloudflare:workers");
  const meta = {
    logNonce: "x",
    runId: "x",
    credentials: {},
    logBytes: 0,
    outputBytes: 100,
    wallMs: 1000,
  };
  const body = `${JSON.stringify(meta)}\n{"inner":true}`;
  for (let i = 0; i < 300; i++)
    await (await exports.default.fetch("http://tool/run", { method: "POST", body })).text();
  return "answered";
};
