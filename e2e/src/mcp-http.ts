/** A response of the MCP endpoint, with its messages. */
type RpcAnswer = {
  status: number;
  headers: Headers;
  // Responses have many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  messages: any[];
  /** The last message, which is the response. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
};

type Options = {
  headers?: Record<string, string | undefined>;
  path?: string;
  signal?: AbortSignal;
};

export type Rpc = {
  /** Sends a text unchanged, and anything else as JSON. */
  send(body: unknown, options?: Options): Promise<RpcAnswer>;
  /** Sends a request with a new ID. */
  ask(method: string, params?: object, options?: Options): Promise<RpcAnswer>;
  /** Calls a tool and returns its result. */
  // oxlint-disable-next-line typescript/no-explicit-any
  call(name: string, args?: unknown, options?: Options): Promise<any>;
};

/** The headers and parameters that a client of 2026-07-28 sends with each request. */
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

/** A client that sends exactly the given messages. */
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
