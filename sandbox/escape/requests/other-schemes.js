export const attempt = {
  tries: "to reach files and sockets with other URL schemes",
  blockedBecause: "only HTTP and HTTPS are supported",
  ends: { says: "Fetch API cannot load" },
  allowedHosts: ["http://{witness}"],
};

export default async () => {
  const ways = [
    () => fetch("file:///etc/passwd"),
    () => fetch("unix:/egress.sock"),
    () => fetch("http+unix://%2Fegress.sock/"),
    () => fetch("http://unix:/egress.sock:/"),
    () => fetch("ftp://127.0.0.1/"),
    () => fetch("blob:null/1"),
    () => fetch("about:blank"),
    () => fetch("//127.0.0.1/"),
    () => fetch("/etc/passwd"),
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
