/** An answer of the MCP endpoint, with the messages that stood in it. */
type RpcAnswer = {
  status: number;
  headers: Headers;
  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  messages: any[];
  /** The last message: the answer itself. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
};

type Options = {
  headers?: Record<string, string | undefined>;
  path?: string;
  signal?: AbortSignal;
};

export type Rpc = {
  /** Sends a body as it is, or as JSON. */
  send(body: unknown, options?: Options): Promise<RpcAnswer>;
  /** Sends a request with an id of its own. */
  ask(method: string, params?: object, options?: Options): Promise<RpcAnswer>;
  /** Calls a tool and answers its result. */
  // oxlint-disable-next-line typescript/no-explicit-any
  call(name: string, args?: unknown, options?: Options): Promise<any>;
};

/** What a client of 2026-07-28 says with each request: headers, and members of the params. */
export function modern(
  method: string,
  target?: string,
  capabilities: object = { elicitation: { url: {} } },
) {
  const revision = "2026-07-28";
  return {
    headers: {
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...(target === undefined ? {} : { "mcp-name": target }),
    },
    meta: {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientInfo": { name: "e2e", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    },
  };
}

/** A client that says exactly what a test wants. */
export function createRpc(baseUrl: () => string, token: string | undefined): Rpc {
  let lastId = 0;
  const send: Rpc["send"] = async (body, { headers, path = "/api/mcp", signal } = {}) => {
    const all = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    };
    const response = await fetch(`${baseUrl()}${path}`, {
      method: "POST",
      headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] != null),
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
    const messages = readMessages(response.headers, await response.text());
    const { status } = response;
    return { status, headers: response.headers, messages, body: messages.at(-1) };
  };
  const ask = (method: string, params: object = {}, options: Options = {}) => {
    lastId += 1;
    return send({ jsonrpc: "2.0", id: lastId, method, params }, options);
  };
  return {
    send,
    ask,
    call: async (name, args = {}, options = {}) => {
      const { body } = await ask("tools/call", { name, arguments: args }, options);
      return body.result ?? body.error;
    },
  };
}

function readMessages(headers: Headers, text: string): unknown[] {
  const isJson = (headers.get("content-type") ?? "").includes("json");
  if (!(headers.get("content-type") ?? "").startsWith("text/event-stream")) {
    return isJson && text !== "" ? [JSON.parse(text) as unknown] : [];
  }
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as unknown);
}
