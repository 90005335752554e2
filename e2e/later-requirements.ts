/** What is promised and not built yet. When it is built, its promise moves to `requirements.ts`. */
export const laterPromises = {
  "spec: what the service does": {
    "bot.mention": "Mentioned, the bot acknowledges, picks a tool, runs it and posts the result.",
    "bot.thread_context": "In a thread the bot reads recent messages as context.",
    "engine.shared": "All doors share sandbox, credentials, logging and audit trail.",
  },
  "spec: authentication": {
    "oauth.refresh_token_life": "Refresh tokens end after 30 days without use.",
  },
  "contract 1: starting it": {
    "start.env_example": "Every setting is listed in .env.example.",
  },
  "contract 2: errors": {
    "error.internal": "500 internal shows no internals.",
  },
  "contract 3: REST": {},
} as const;
