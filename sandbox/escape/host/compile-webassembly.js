import { WASI } from "node:wasi";

export const attempt = {
  tries: "to run generated machine code",
  blockedBecause: "the runtime does not compile WebAssembly at run time",
  ends: { says: "Wasm code generation disallowed" },
};

const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
export default async () => {
  const ways = [
    () => new WebAssembly.Module(empty),
    () => WebAssembly.compile(empty),
    () => WebAssembly.instantiate(empty),
    () => WebAssembly.compileStreaming(new Response(empty)),
    () =>
      WebAssembly.instantiateStreaming(
        new Response(empty, { headers: { "content-type": "application/wasm" } }),
      ),
    () => new WASI({ version: "preview1", preopens: { "/": "/" } }),
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
