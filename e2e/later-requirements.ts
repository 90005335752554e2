/** What is promised and not built yet. When it is built, its promise moves to `requirements.ts`. */
export const laterPromises = {
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
