import http from "node:http";
import { connect } from "node:net";

export const attempt = {
  tries: "to reach a unix socket with the HTTP client of Node",
  blockedBecause: "the runtime does not support unix sockets",
  ends: { says: '^\\["ERR_INVALID_ARG_VALUE","ERR_INVALID_ARG_VALUE","ERR_INVALID_ARG_VALUE"\\]$' },
  allowedHosts: ["http://{witness}"],
};

export default async () => {
  const ways = [
    () =>
      new Promise((yes, no) =>
        http.get({ socketPath: "/egress.sock", path: "http://a/" }, yes).on("error", no),
      ),
    () => new Promise((yes, no) => connect("/egress.sock").on("error", no).on("connect", yes)),
    () =>
      new Promise((yes, no) =>
        connect({ path: "/listen/http.sock" }).on("error", no).on("connect", yes),
      ),
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
