const provided =
  "assert async_hooks buffer console constants crypto diagnostics_channel dns events fs http https net os path perf_hooks process punycode querystring readline stream string_decoder timers tls tty url util zlib";
const missing =
  "child_process cluster dgram domain http2 inspector module repl sys trace_events v8 vm wasi worker_threads";

/** The modules of Node.js that the sandbox has, without those of a folder such as `fs/promises`. */
export const nodeModules: ReadonlySet<string> = new Set(provided.split(" "));

/** The modules of Node.js that the sandbox lacks or only stubs. */
export const missingNodeModules: ReadonlySet<string> = new Set(missing.split(" "));
