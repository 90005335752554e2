/** Clients whose servers open the connection, so that they need a public address. */
const cloudClients: ReadonlySet<string> = new Set(["claude", "chatgpt"]);

/** Whether only this machine or its network can reach an address. */
export function isLocalAddress(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    /^(?:localhost|.*\.(?:localhost|local|internal|lan|home\.arpa))$/.test(hostname) ||
    /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(hostname) ||
    /^\[(?:::1|f[cd][\da-f]{2}:.*|fe80:.*)\]$/.test(hostname)
  );
}

/** Whether a client can connect to an address. */
export function canReach(clientId: string, url: string): boolean {
  return !cloudClients.has(clientId) || !isLocalAddress(url);
}
