import { spawn } from "node:child_process";
import process from "node:process";

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  // `start` would interpret the address, so the handler of URLs is called directly.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address in the user's browser. Nothing happens if there is none. */
export function openBrowser(url: string): void {
  if (!/^https?:/.test(url)) return;
  const [program, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
