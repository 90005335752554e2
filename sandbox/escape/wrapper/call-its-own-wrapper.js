export const attempt = {
  tries: "to call its own wrapper with a chosen nonce and limits",
  blockedBecause: "the call stays part of its own run: without new limits or lines in another log",
  logs: [],
  limits: { outputBytes: 1000 },
  ends: { says: "its own" },
};

export default async (input) => {
  if (input.inner) {
    console.log("forged");
    return "x".repeat(2000);
  }
  const { exports } = process.getBuiltinModule("cloudflare:workers");
  const meta = {
    logNonce: "forged",
    runId: "another",
    credentials: {},
    logBytes: 1e9,
    outputBytes: 1e9,
    wallMs: 1e9,
  };
  const body = `${JSON.stringify(meta)}\n${JSON.stringify({ inner: true })}`;
  const answer = await exports.default.fetch("http://tool/run", {
    method: "POST",
    body,
    headers: { "x-toolhost-request": "forged" },
  });
  return `it got an answer of its own: ${(await answer.text()).length}`;
};
