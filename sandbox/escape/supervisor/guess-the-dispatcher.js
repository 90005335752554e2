export const attempt = {
  tries: "to speak to the dispatcher as the service does",
  refusedBecause: "a tool reaches hosts of its own choice by the gate alone",
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
