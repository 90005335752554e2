export const attempt = {
  tries: "to smuggle a second request after a body with a false length",
  blockedBecause: "the body's length is counted rather than taken from the tool",
  seen: ["POST /body", "POST /body", "POST /body", "GET /after"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const body = "x\r\n\r\nGET /reached HTTP/1.1\r\nhost: a\r\n\r\n";
  for (const headers of [
    { "content-length": "1" },
    { "transfer-encoding": "chunked" },
    { "content-length": "1", "transfer-encoding": "identity" },
  ]) {
    await (await fetch(`http://${witness}/body`, { method: "POST", body, headers })).text();
  }
  await (await fetch(`http://${witness}/after`)).text();
  return "refused";
};
