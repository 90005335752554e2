/**
 * The URL to open a gateway connection to. The connection sends the bot token, so only Discord's own hosts, or the host of
 * a custom API, are accepted; undefined for any other.
 */
export function toGatewayUrl(given: string, apiUrl: string): string | undefined {
  const url = URL.parse(given);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  const api = new URL(apiUrl);
  const isDiscords =
    url.protocol === "wss:" &&
    url.port === "" &&
    (url.hostname === "discord.gg" || url.hostname.endsWith(".discord.gg"));
  const isOnApiHost =
    api.hostname !== "discord.com" &&
    url.host === api.host &&
    url.protocol === (api.protocol === "https:" ? "wss:" : "ws:");
  if (!isDiscords && !isOnApiHost) return undefined;
  url.search = "?v=10&encoding=json";
  url.hash = "";
  return url.href;
}
