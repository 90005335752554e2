/** Texts of the settings page. */
export const messages = {
  title: "Settings",
  lead: (workspace: string) => `Settings of the workspace ${workspace}.`,
  readOnlyLead: (workspace: string) =>
    `Settings of the workspace ${workspace}. Only admins can change them.`,

  workspaceName: {
    label: "Workspace name",
    action: "Rename workspace",
    renamed: (name: string) => `Workspace renamed to ${name}`,
  },

  webhooks: {
    title: "Webhooks",
    lead: "Send a signed event to your own server when a run ends.",
    action: "Manage webhooks",
  },

  usage: {
    title: "Usage",
    runsToday: "Runs today",
    running: "Running",
    queued: "Queued",
    tools: "Tools",
    members: "Members",
    files: "Files",
    none: "None",
    ofLimit: (count: string, limit: string) => `${count} of ${limit}`,
    filesAndSize: (count: number, size: string) =>
      `${count.toLocaleString("en")} ${count === 1 ? "file" : "files"} (${size})`,
  },

  retention: {
    title: "Data retention",
    runs: "Runs",
    logs: "Logs",
    runsInDays: "Runs (days)",
    logsInDays: "Logs (days)",
    files: "Files",
    auditEvents: "Audit events",
    drafts: "Unused drafts",
    default: (period: string) => `Default: ${period}`,
    invalidDays: "Enter a whole number of days, at least 1.",
    save: "Save changes",
    saved: "Data retention updated",
    forever: "forever",
    days: (days: number) => (days === 1 ? "1 day" : `${days} days`),
    hours: (hours: number) => (hours === 1 ? "1 hour" : `${hours} hours`),
  },

  updates: {
    title: "Updates of installed tools",
    lead: "An installed tool stays on its version until a builder accepts an update. An update needs no review if it adds no hosts or credentials, loosens no limits, and keeps inputs, outputs and descriptions the same. Its code can still change.",
    label: "Accept updates that need no review automatically",
    on: "Updates that need no review are accepted automatically.",
    off: "Every update is reviewed before it is accepted.",
    saved: "Settings saved",
  },

  agents: {
    title: "Outputs for agents",
    lead: "Agents get a longer output shortened, and read on where they need more. REST and this console always show it whole.",
    characters: "Maximum length in characters",
    default: (length: number) => `Default: ${length.toLocaleString("en")}`,
    invalid: "Enter a whole number, or leave empty for the default.",
    current: (length: number) => `Up to ${length.toLocaleString("en")} characters.`,
    save: "Save length",
    saved: "Settings saved",
  },

  searches: {
    title: "Learning from searches",
    lead: "Stores the words of members' searches for tools for 90 days: in the console, over REST and over MCP, but not from chat. Words that led at least two people to a tool help to find it again. Builders see what at least three people searched for without running a tool. Nothing is shared with other workspaces. Turning it off deletes the stored searches.",
    label: "Learn from searches",
    on: "Searches are stored.",
    off: "Searches are not stored.",
    saved: "Settings saved",
  },

  limits: {
    title: "Limits",
    lead: "Set by the operator of this server.",
    noLimit: "No limit",
    concurrentRuns: "Concurrent runs",
    queuedRuns: "Queued runs",
    runTimeout: "Run timeout",
    cpuTime: "CPU time per run",
    memory: "Memory per run",
    mebibytes: (count: number) => `${count} MiB`,
    outputSize: "Output size per run",
    logSize: "Log size per run",
    uploadSize: "Upload size",
    bodySize: "Request body size",
    requestsPerMinute: "Requests per minute per API key",
    userRequestsPerMinute: "Requests per minute per user",
    workspaceRequestsPerMinute: "Requests per minute per workspace",
    runsPerMinute: "Runs per minute per API key",
    userRunsPerMinute: "Runs per minute per user",
    workspaceRunsPerMinute: "Runs per minute per workspace",
    userRunsPerDay: "Runs per day per user",
    workspaceRunsPerDay: "Runs per day per workspace",
  },

  newWorkspace: {
    title: "New workspace",
    lead: "A workspace has its own tools, runs, credentials and members. You own the workspaces that you create.",
    action: "Create workspace",
    name: "Workspace name",
    namePlaceholder: "Research",
    created: (name: string) => `Workspace ${name} created`,
  },

  deleteWorkspace: {
    title: "Delete workspace",
    lead: "This immediately revokes all members' access and deletes the workspace's API keys, connected apps, credentials, tools and runs. To give the workspace to someone else instead, transfer it under Members.",
    action: "Delete workspace",
    confirmTitle: (name: string) => `Delete ${name}?`,
    warning: "This can't be undone. Only audit events remain until their retention period ends.",
    confirmLabel: (name: string) => `Type ${name} to confirm`,
    mismatch: "This doesn't match the workspace name.",
  },

  chat: {
    title: "Chat",
    lead: "Connect a Slack workspace, a Discord or Mattermost server, or a Microsoft Teams tenant. Its users can then run tools, each with their own permissions and credentials.",
    connect: (platform: string) => `Connect ${platform}`,
    connectAnother: (team: string) => `Connect another ${team}`,
    notListening: (platform: string, problem: string) =>
      `The bot doesn't receive mentions from ${platform}. ${problem} Ask the operator of this server for help.`,
    notConfigured: {
      badge: "Not configured",
      body: (platform: string) =>
        `This server isn't configured for ${platform}. Ask its operator to set it up.`,
      manifest: "App manifest for the operator",
    },
    list: "Chat connections",
    connected: "Connected",
    disconnected: "Disconnected",
    connectedSince: "Connected",
    disconnect: "Disconnect",
    disconnectLabel: (team: string) => `Disconnect ${team}`,
    disconnectTitle: (team: string) => `Disconnect ${team}?`,
    thisChat: "this chat",
    disconnectAction: "Disconnect chat",
    disconnectWarning: "The bot stops answering there, and the account links are deleted.",
    wasDisconnected: (team: string) => `${team} disconnected`,
    accessLost: (platform: string, team: string) =>
      `${platform} no longer gives the bot access: the app was removed or its access revoked. Reconnect the ${team} to continue. Account links are retained.`,
    outdated: (platform: string, team: string, scopes: readonly string[]) =>
      `The ${platform} app lacks permissions that the bot uses, so some features are off: ${scopes.join(", ")}. Ask the operator of this server to replace the app's manifest, then reconnect the ${team}.`,
    reconnect: "Reconnect",
    reconnectLabel: (team: string) => `Reconnect ${team}`,
    matchByEmail: "Match members by email",
    matchByEmailHint: (platform: string) =>
      `On: people run tools as the member with the same email address as their ${platform} account. Off: people link their account once on a web page.`,
  },

  deadLetters: {
    title: "Dead letters",
    lead: "Chat messages that the bot failed to answer. Their text isn't shown here.",
    newest: (count: number) => `Showing the newest ${count}.`,
    kinds: {
      message: "Message",
      answer: "Answer to a question",
      run_ended: "Run result",
    },
    from: (team: string) => `from ${team},`,
    attempts: (count: number) =>
      count === 1 ? "Failed after 1 attempt." : `Failed after ${count} attempts.`,
    requeue: "Requeue",
    requeueLabel: (kind: string, team: string) => `Requeue: ${kind.toLowerCase()} from ${team}`,
    requeued: "Message requeued",
    isDisconnected: (team: string) => `To requeue this, reconnect the ${team}.`,
  },
} as const;
