export const attempt = {
  tries: "to send requests to the dispatcher like the service",
  blockedBecause: "a tool's requests can only reach the gate",
  ends: {
    says: '^\\["egress_denied","egress_denied","egress_denied","egress_denied","egress_denied","egress_denied","egress_denied"\\]$',
  },
};

export default async () => {
  const ways = [
    () =>
      fetch("http://dispatcher/", {
        method: "PUT",
        headers: { "x-code": "x" },
        body: "export default () => 1",
      }),
    () => fetch("http://tool/run", { method: "POST", body: "{}" }),
    () => fetch("http://http.sock/", { method: "PUT", body: "x" }),
    () => fetch("http://egress.sock/"),
    () => fetch("http://localhost/"),
    () => fetch("http://files.internal/"),
    () => fetch("http://tools.internal/"),
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
