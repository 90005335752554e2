import { createSign, generateKeyPairSync } from "node:crypto";
import { createServer as createPlain, type RequestListener } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createSecure } from "node:https";
import type { AddressInfo, Server } from "node:net";

/** A test server on a port of this machine. */
export type Upstream = { port: number; connections: () => number; close(): void };

/** Serves plain HTTP. */
export function plainUpstream(listener: RequestListener): Promise<Upstream> {
  return listening(createPlain(listener));
}

/** Serves HTTPS with HTTP/1.1 only. */
export function secureUpstream(
  certificate: Certificate,
  listener: RequestListener,
): Promise<Upstream> {
  return listening(createSecure(certificate, listener));
}

/** Serves HTTPS with HTTP/2, and with HTTP/1.1 if that is allowed. */
export function http2Upstream(
  certificate: Certificate & { allowHTTP1?: boolean },
  listener: Parameters<typeof createSecureServer>[1],
): Promise<Upstream> {
  return listening(createSecureServer(certificate, listener));
}

async function listening(server: Server): Promise<Upstream> {
  let connections = 0;
  const open = new Set<() => void>();
  server.on("connection", (socket) => {
    connections += 1;
    const end = () => socket.destroy();
    open.add(end);
    socket.once("close", () => open.delete(end));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    for (const end of open) end();
  };
  return { port, connections: () => connections, close };
}

export type Certificate = { key: string; cert: string };

/** A self-signed test certificate for these names. */
export function testCertificate(names: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const ecdsaWithSha256 = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
  const name = sequence(
    der(0x31, sequence(oid([0x55, 0x04, 0x03]), der(0x0c, Buffer.from("test")))),
  );
  const altNames = sequence(...names.map((text) => der(0x82, Buffer.from(text))));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(utcTime("200101000000Z"), utcTime("491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(oid([0x55, 0x1d, 0x11]), der(0x04, altNames)))),
  );
  const signature = createSign("sha256").update(toBeSigned).sign(privateKey);
  const signed = sequence(toBeSigned, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = signed.toString("base64").replace(/(.{64})/g, "$1\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function oid(bytes: number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}
