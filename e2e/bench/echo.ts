import { createServer } from "node:http";

// A minimal JSON service on Node, to measure the cost of HTTP alone. Its parent process sets the size of a response in
// bytes.

const size = Number(process.argv[2]);
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const input: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const bare = JSON.stringify({ input, filler: "" });
    const filler = "x".repeat(Math.max(0, size - bare.length));
    const body = JSON.stringify({ input, filler });
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address() ?? undefined));
process.once("disconnect", () => process.exit(0));
