export const attempt = {
  tries: "to send a credential to another host in a body",
  refusedBecause: "in a body toward another host a placeholder stays what it is",
  seen: ["POST /body"],
  ends: { says: "refused" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ other }, { credentials }) => {
  const answer = await fetch(`http://${other}/body`, { method: "POST", body: credentials.KEY });
  return (await answer.json()).body === credentials.KEY ? "refused" : "got through";
};
