/** The folder of the declarations, as the editor sees it. */
const folder = "file:///node_modules/@types/node/";

// Modules that the sandbox only stubs, such as child_process, are left out. So are the web streams, whose declarations
// conflict with the global ones.
const texts = import.meta.glob<string>(
  [
    "./{assert,async_hooks,buffer,buffer.buffer,console,constants,crypto,diagnostics_channel,dns}.d.ts",
    "./{events,fs,globals,globals.typedarray,http,https,net,os,path,perf_hooks,process,punycode}.d.ts",
    "./{querystring,readline,stream,string_decoder,timers,tls,tty,url,util,zlib}.d.ts",
    "./{dns,fs,readline,stream,timers}/promises.d.ts",
    "./{assert/strict,path/posix,path/win32,stream/consumers,stream/iter,util/types}.d.ts",
    "./web-globals/{abortcontroller,events,timers,url}.d.ts",
  ],
  {
    base: "../../../../../node_modules/@types/node/",
    query: "?raw",
    import: "default",
    eager: true,
    exhaustive: true,
  },
);

/**
 * Type declarations of the Node.js modules and globals that the sandbox has, by their path in the editor. They are large, so this
 * module is loaded on demand.
 */
export const nodeTypes: ReadonlyMap<string, string> = new Map(
  Object.entries(texts).map(([path, text]) => [folder + path.slice(2), text]),
);
