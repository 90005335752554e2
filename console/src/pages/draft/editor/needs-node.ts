const modules =
  "assert|async_hooks|buffer|console|constants|crypto|diagnostics_channel|dns|events|fs|https?|net|os|path|perf_hooks|process|punycode|querystring|readline|stream|string_decoder|timers|tls|tty|url|util|zlib";
const imported = new RegExp(
  String.raw`\b(?:from|import|require)\s*\(?\s*["'](?:node:\w|(?:${modules})["'/])`,
);
const named = /\b(?:Buffer|setImmediate)\b|\bprocess\.\w/;

/** Whether code may use what the sandbox has of Node: a module by its name, or a global. In doubt it may. */
export function needsNode(code: string): boolean {
  return imported.test(code) || named.test(code);
}
