export const attempt = {
  tries: "to reach the secrets of a cloud machine by one number",
  refusedBecause: "the address that a name or spelling comes to is looked at, and is not public",
  allowedHosts: ["http://169.254.169.254"],
  ends: { code: "egress_denied", message: "link-local" },
  hostUsage: { host: "169.254.169.254", requests: 0, reason: "link-local" },
};

export default async (input) => {
  await fetch(`http://2852039166/reached`);
  return "got through";
};
