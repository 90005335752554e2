export const attempt = {
  tries: "to open an event stream of an undeclared host",
  blockedBecause: "the same rules as for fetch apply",
  ends: { code: "egress_denied", message: "port" },
  hostUsage: { host: "{other}", requests: 0, reason: "port" },
  allowedHosts: ["http://{witness}"],
};

export default ({ other }) =>
  new Promise((resolve, reject) => {
    const source = new EventSource(`http://${other}/reached`);
    source.onopen = () => resolve("got through");
    source.onerror = ({ error, message }) => reject(error ?? new Error(message));
  });
