/** How the editor knows the folder that the declarations are from. */
const folder = "file:///node_modules/@types/node/";

// What the sandbox has by name only, such as what starts processes, is left out. So are the web's own streams, which the
// declarations take for others than the global ones.
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
 * Declarations of the modules of Node that the sandbox has, and of the globals that come with them, each by its path in the
 * editor. They are large, and whoever wants them loads this file by itself.
 */
export const nodeTypes: ReadonlyMap<string, string> = new Map(
  Object.entries(texts).map(([path, text]) => [folder + path.slice(2), text]),
);
