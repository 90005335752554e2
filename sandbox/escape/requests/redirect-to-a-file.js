export const attempt = {
  tries: "to be redirected to a file",
  blockedBecause: "only HTTP and HTTPS are supported",
  seen: ["GET /to", "GET /to", "GET /to", "GET /to"],
  ends: { says: "refused|not followed" },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const ends = [];
  for (const url of [
    "file:///etc/passwd",
    "unix:/egress.sock",
    "data:text/plain,x",
    "gopher://a/",
  ]) {
    try {
      const answer = await fetch(`http://${witness}/to?url=${encodeURIComponent(url)}`);
      ends.push(answer.status === 302 ? "not followed" : `got through: ${answer.status}`);
    } catch (error) {
      ends.push("refused");
    }
  }
  return ends;
};
