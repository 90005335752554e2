import { createServer } from "node:http";

// Accepts traces and counts their bytes, so that the cost of a collector is not that of the service.

let bytes = 0;
const server = createServer((request, response) => {
  request.on("data", (chunk: Buffer) => (bytes += chunk.length));
  request.on("end", () => response.end());
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address() ?? undefined));
process.on("message", () => process.send?.({ bytes }));
process.once("disconnect", () => process.exit(0));
