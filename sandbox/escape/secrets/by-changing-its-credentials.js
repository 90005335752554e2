export const attempt = {
  tries: "to change the hosts or the names of its credentials",
  blockedBecause: "credentials are frozen, and their hosts are not stored in the isolate",
  ends: { code: "egress_denied", message: "KEY is not allowed for this host" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default async ({ other }, ctx) => {
  const key = ctx.credentials.KEY;
  for (const change of [
    () => (ctx.credentials.KEY = "x"),
    () => (ctx.credentials = { KEY: key }),
    () => Object.defineProperty(ctx, "credentials", { value: 1 }),
  ]) {
    try {
      change();
    } catch {}
  }
  await fetch(`http://${other}/reached`, {
    headers: { "x-key": ctx.credentials.KEY, "x-hosts": other },
  });
  return "got through";
};
