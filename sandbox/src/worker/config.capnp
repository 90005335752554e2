# One sandbox process. The sockets' real addresses are given on the command line.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  # Objects of workerd are freed by full collections of garbage only, which V8 starts later for a large initial heap.
  v8Flags = ["--max-heap-size=@MAX_HEAP_MIB@", "--initial-heap-size=8"],
  logging = (structuredLogging = true),
  services = [
    (name = "dispatcher", worker = .dispatcher),
    # Without a service of this name workerd adds one that reaches everything.
    (name = "internet", network = (allow = [])),
    # Requests arrive at the service in clear, with their full address in the request line.
    (name = "egress", external = (address = "unix:egress.sock", http = (style = proxy))),
  ],
  sockets = [(name = "http", address = "unix:http.sock", http = (), service = "dispatcher")],
);

const dispatcher :Workerd.Worker = (
  modules = [
    (name = "dispatcher.js", esModule = embed "dispatcher.js"),
    (name = "wrapper.txt", text = embed "wrapper.js"),
    (name = "console.txt", text = embed "console.js"),
    (name = "files.txt", text = embed "files.js"),
    (name = "tools.txt", text = embed "tools.js"),
    (name = "ask.txt", text = embed "ask.js"),
    (name = "authorization.txt", text = embed "authorization.js"),
  ],
  compatibilityDate = "2026-11-01",
  bindings = [
    (name = "LOADER", workerLoader = ()),
    (name = "EGRESS", service = "egress"),
  ],
  globalOutbound = "internet",
);
