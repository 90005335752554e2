/** What it means that the code of tools can read a credential's value. */
const exposeWarning =
  "Code that can read the value can also leak it in ways that the service can't detect, for example reversed or encrypted. Only approved tools of this workspace that request the value get it.";

/** Texts of the credentials page. */
export const messages = {
  requests: {
    title: "Requests",
    needs: "needs",
    for: "for",
    review: "Review",
  },
  title: "Credentials",
  noun: ["credential", "credentials"],
  lead: "Secrets that tools use. Your credentials override the workspace's.",
  create: "Add credential",
  list: "Credentials",
  empty: {
    title: "No credentials yet",
    body: "Add a service's API key, and tools can call the service with it. Their code sees only a placeholder, which is replaced with the secret when a request goes to the hosts that you allow.",
  },

  required: {
    title: "Needed by tools",
    usedBy: (tools: readonly string[]) => `Used by ${tools.join(", ")}.`,
    add: "Add",
    addLabel: (name: string) => `Add ${name}`,
  },

  row: {
    workspace: "Workspace",
    user: "Personal",
    status: {
      ready: "Connected",
      awaiting_consent: "Not connected",
      needs_reconnect: "Reconnect needed",
    },
    exposed: "Readable by code",
    columns: {
      name: "Name",
      status: "Status",
      owner: "Owner",
      hosts: "Hosts",
      usedBy: "Requested by",
      expires: "Token expires",
      lastUsed: "Last used",
    },
    never: "Never",
    usedByNone: "No tool you can see",
    andMore: (count: number) => ` and ${count} more`,
    connect: "Connect",
    reconnect: "Reconnect",
    connectLabel: (name: string) => `Connect ${name}`,
    reconnectLabel: (name: string) => `Reconnect ${name}`,
    menu: (name: string) => `Actions for ${name}`,
    menuButton: (name: string) => `More actions for ${name}`,
    replace: "Replace value",
    hideFromCode: "Hide value from code",
    exposeToCode: "Let code read value",
    delete: "Delete credential",
    managedByAdmins: "Managed by admins",
    tokenRefreshed: (name: string) => `New token for ${name} received`,
  },

  form: {
    createTitle: "Add credential",
    replaceTitle: (name: string) => `Replace value of ${name}`,
    createAction: "Save credential",
    replaceAction: "Replace value",
    created: (name: string) => `${name} saved`,
    replaced: (name: string) => `${name} replaced`,
    replaceHint: "New runs use the new value. Runs that have already started keep the old one.",
    name: "Name",
    nameHint: "The name that tools use: A–Z, 0–9 and _.",
    namePlaceholder: "OPENWEATHER_KEY",
    owner: "Available to",
    owners: {
      user: { label: "Only you", hint: "Used in your own runs" },
      workspace: {
        label: "This workspace",
        hint: "Used in all members' runs, unless they have their own",
      },
    },
    kind: "Type",
    kinds: {
      value: { label: "Secret value", hint: "An API key, password or token" },
      server: {
        label: "Sign-in at an MCP server",
        hint: "Only the server's URL is needed",
      },
      oauth2: {
        label: "OAuth 2 connection",
        hint: "An access token from a provider, refreshed automatically",
      },
    },
    value: "Value",
    valueHint: "Stored encrypted and never shown again.",
    hosts: "Allowed hosts",
    hostsHint: "One per line, for example api.example.com. The value is sent to no other host.",
    exposable: "Let tool code read the value",
    exposableHint: `${exposeWarning} Most tools don't need this.`,
  },

  server: {
    url: "Server URL",
    urlHint: "The service finds out where you sign in. The token is sent only to this host.",
    urlPlaceholder: "https://mcp.example.com/mcp",
    client: "Client and scopes",
    clientIdHint: (callbackUrl: string) =>
      `Only for a client that you registered yourself, with the redirect URI ${callbackUrl}.`,
    scopesHint: "Separated by spaces. Without any, the scopes that the server asks for.",
  },

  connection: {
    grantType: "Who gives consent",
    grantTypes: {
      authorization_code: "I do, in a browser",
      client_credentials: "No one: the client acts on its own behalf",
    },
    clientId: "Client ID",
    clientIdHint: "The ID of the client that you registered at the provider.",
    redirectHint: (callbackUrl: string) =>
      `Register a client at the provider with the redirect URI ${callbackUrl}.`,
    clientSecret: "Client secret",
    optionalClientSecret: "Client secret (optional)",
    scopes: "Scopes",
    scopesHint: "Separated by spaces. Request only what your tools need.",
    endpoints: "Provider endpoints",
    endpointChoices: {
      issuer: "Discover from the issuer",
      addresses: "Enter URLs",
    },
    issuer: "Issuer",
    issuerPlaceholder: "https://accounts.google.com",
    urlPlaceholder: "https://",
    authorizationUrl: "Authorization URL",
    tokenUrl: "Token URL",
    revocationUrl: "Revocation URL (optional)",
    advanced: "Advanced provider settings",
    authMethod: "Client authentication",
    authMethods: {
      automatic: "Automatic",
      client_secret_basic: "In the header (client_secret_basic)",
      client_secret_post: "In the body (client_secret_post)",
      none: "No secret (none)",
    },
    audience: "Audience",
    resource: "Resource",
    parameters: "Additional parameters",
    parametersHint: "One name=value per line. For example: access_type=offline",
  },

  connect: {
    title: (name: string) => `Connect ${name}`,
    connected: "Connected. Tools can use it now.",
    lead: "The provider asks you to allow access on its own page, which opens in a new tab. The link is valid for 10 minutes.",
    waiting: "Waiting for your consent…",
    open: "Go to provider",
    done: "Done",
    later: "Connect later",
  },

  expose: {
    exposeTitle: (name: string) => `Let code read ${name}?`,
    hideTitle: (name: string) => `Hide ${name} from code?`,
    exposeAction: "Allow access",
    hideAction: "Hide value",
    exposeWarning,
    hideWarning: "Tools that request the value fail from their next run.",
    exposed: (name: string) => `Code can read ${name}`,
    hidden: (name: string) => `${name} hidden from code`,
  },

  delete: {
    title: (name: string) => `Delete ${name}?`,
    action: "Delete credential",
    body: "Tools that use it fail until you add it again. A connection is also revoked at its provider.",
    deleted: (name: string) => `${name} deleted`,
  },
} as const;
