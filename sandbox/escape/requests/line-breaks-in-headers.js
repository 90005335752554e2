export const attempt = {
  tries: "to inject a header or a request with a line break",
  blockedBecause: "headers, methods and paths cannot contain line breaks",
  seen: ["GET /line", "GET /linex-evil:%201", "GET /line%C4%8D%C4%8Ax-evil:%201"],
  ends: { says: '"Invalid header' },
  allowedHosts: ["http://{witness}"],
};

export default async ({ witness }) => {
  const address = `http://${witness}/line`;
  const ways = [
    () => fetch(address, { headers: { "x-a": "b\r\nx-evil: 1" } }),
    () => fetch(address, { headers: { "x-a": "b\nx-evil: 1" } }),
    () => fetch(address, { headers: { "x-a\r\nx-evil": "1" } }),
    () => fetch(address, { headers: { "x-a": "b\0" } }),
    () => fetch(address, { method: "GET /reached HTTP/1.1\r\nx-evil: 1\r\n\r\nGET" }),
    () => fetch(address, { headers: { "x-a": "b\u010d\u010ax-evil: 1" } }),
    () => fetch(`${address}\r\nx-evil: 1`),
    () => fetch(`${address}\u010d\u010ax-evil: 1`),
  ];
  const ends = [];
  for (const way of ways) {
    try {
      const { headers } = await (await way()).json();
      ends.push(headers["x-evil"] === undefined ? "one line" : "got through");
    } catch (error) {
      ends.push(error.message.slice(0, 14));
    }
  }
  return ends;
};
