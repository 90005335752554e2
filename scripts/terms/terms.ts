import type { Kind } from "./scan-source.ts";

/** A word or phrase to avoid, and what to write instead. */
export type Term = {
  /** A regular expression that matches whole words, ignoring case. A space matches any white space. */
  pattern: string;
  use: string;
  /** Where to look; everywhere by default. Names are split into words first: `settleRun` becomes "settle run". */
  in?: readonly Kind[];
  /** Matches correct uses. It sees up to 40 characters on each side. */
  allow?: RegExp;
};

const names = ["name"] as const;
const prose = ["comment", "text"] as const;

/** A match fails the check. */
export const forbidden: readonly Term[] = [
  { pattern: "is aged|aged", use: "shouldRecycle", in: names },
  { pattern: "(?:is )?worn out|wear|wears|wearing", use: "recycle policy, shouldRecycle" },
  {
    pattern:
      "(?:api key|credential|tool|member|invitation|workspace|approval|connection|webhook) drafts?",
    use: "CreateXInput for a request body; a draft is the unpublished version of a tool",
    in: names,
  },
  { pattern: "t(?:ake|akes|aken|aking|ook) along", use: "exports, includes", in: prose },
  { pattern: "to be had", use: "available", in: prose },
  { pattern: "how it (?:is|was|went|goes) with", use: "the state of", in: prose },
  {
    pattern: "likewise|hence|whence|thereof|whereof|therein|wherein|hereby|thereby|therefrom",
    use: "plain words",
    in: prose,
  },
  { pattern: "overhear(?:s|d)?(?: \\w+)?", use: "recordThreadMessage" },
  { pattern: "say alive", use: "heartbeat", in: names },
  { pattern: "find way", use: "resolveGatewayUrl", in: names },
  { pattern: "lived|live with connection", use: "ConnectionResult, runConnection", in: names },
  { pattern: "promise end", use: "notifyOnCompletion", in: names },
  { pattern: "stand-?ins?|stand ins?", use: "placeholder" },
  { pattern: "occasions?", use: "Trigger", in: names },
  { pattern: "amend(?:s|ed|ing|ment)?", use: "edit, editMessage" },
  { pattern: "leave steps", use: "removeMember", in: names },
  {
    pattern: "take over runs?|take over forgotten runs|forgotten runs?",
    use: "recoverOrphanedRuns",
    in: names,
  },
  { pattern: "await run|wait for run", use: "longPoll, waitForCompletion", in: names },
  { pattern: "^most (?!recent)\\w+(?: \\w+)*", use: "maxX", in: names },
  { pattern: "(?:comes?|came) of", use: "results from", in: prose },
  { pattern: "lately", use: "recently" },
  { pattern: "as good as", use: "almost, equal to" },
  { pattern: "by and by", use: "gradually" },
  { pattern: "for good", use: "permanently", in: prose },
  { pattern: "word for word", use: "verbatim, exactly", in: prose },
  { pattern: "rightly", use: "correctly", in: prose },
  { pattern: "found out", use: "detected", in: prose },
  { pattern: "out of touch", use: "disconnected, offline", in: prose },
  { pattern: "bur(?:y|ies|ied)", use: "marks as dead" },
  { pattern: "settled (?:to|at)", use: "finishedAt, resolvedTo", in: names },
  {
    pattern: "settle (?:run|failure|inbox|settings|key|connections|receipt|attempt|ms)",
    use: "finalizeRun, handleJobFailure, resolveSettings, saveResponse, drain",
    in: names,
  },
  {
    pattern: "go to (?:provider|slack|platform)|(?:receive|chat) departure",
    use: "startAuthorization, redirect",
    in: names,
  },
  { pattern: "is good", use: "isAttemptValid, or what is valid", in: names },
  { pattern: "check beginner|beginners?|beginnings?", use: "initiator, templates", in: names },
  { pattern: "do work|chat work(?:er)?", use: "processJob, InboxJob", in: names },
  { pattern: "(?:on )?nudge(?:s|d|r)?(?: \\w+)?", use: "notifyNode" },
  {
    pattern: "tell (?:end|ends|ended runs|run|watchers|progress|model|problems|user|others)",
    use: "notifyWaiters, publishProgress, report",
    in: names,
  },
  { pattern: "endings", use: "completions", in: names },
  { pattern: "hear|heard|hear signals|hears", use: "subscribe, onMessage", in: names },
  { pattern: "whisper(?:s|ed|ing)?(?: \\w+)?", use: "postEphemeral" },
  { pattern: "chat asides?|asides|aside of", use: "postEphemeral", in: names },
  { pattern: "receipts?", use: "IdempotencyHandle, EgressReport" },
  {
    pattern: "list dead(?! letters?)|revive(?: \\w+)?|revived",
    use: "deadLetters, requeue",
    in: names,
  },
  { pattern: "remains(?: \\w+)?", use: "workspacePurge", in: names },
  { pattern: "^(?:longest|shortest) \\w+(?: \\w+)*|deepest", use: "maxX, minX", in: names },
  { pattern: "come backs?|came back", use: "returned, OAuth callback" },
  {
    pattern: "s(?:ee|ees|aw|een|eeing) to(?= (?:it|runs?|the|that|what|its|those|all|this|their))",
    use: "ensures, handles",
    in: prose,
  },
  { pattern: "whoever|whomever|whosoever", use: "the user who, anyone who" },
  { pattern: "anew", use: "again" },
  {
    pattern: "any more",
    use: "no longer",
    in: prose,
    allow: /any more (?:than|bytes|runs|requests|of|tools|messages)/,
  },
  {
    pattern: "(?:is|are|was|were|be|been|being|gets?) told",
    use: "is notified, learns, reports",
    in: prose,
  },
  { pattern: "mend(?:s|ed|ing)?", use: "fix" },
  { pattern: "begun", use: "started, created" },
  {
    pattern:
      "(?:all|some|one|each|many|most|none|any|number|more|list|those|ids|names|runs|events|values) of those",
    use: "of these, or the noun",
    in: prose,
  },
  { pattern: "com(?:e|es|ing) by|came by", use: "arrives through, is added", in: prose },
  { pattern: "somebody(?: else)?|someone else's", use: "a user, someone" },
  { pattern: "nobody", use: "no one, no user" },
  { pattern: "everybody", use: "everyone, all users" },
  { pattern: "gone to|went to", use: "sent to, redirected to", in: prose },
  { pattern: "g(?:o|oes|oing|one) on|went on", use: "continue, happen", in: prose },
  { pattern: "giv(?:e|es|en|ing) up|gave up", use: "dead letter, abandons, stops retrying" },
  { pattern: "at work", use: "running, in progress", in: prose },
  { pattern: "for ever", use: "indefinitely, forever", in: prose },
  { pattern: "hang(?:s|ing)? on|hung on", use: "depends on", in: prose },
  { pattern: "in (?:whose|his|her|their|its|one's) name", use: "on behalf of", in: prose },
  { pattern: "cut short", use: "interrupted", in: prose },
  { pattern: "(?:is|are|was|were|be|been|not) let in", use: "has access, is admitted", in: prose },
  { pattern: "hand(?:s|ed|ing)? out", use: "serves, issues, allocates", in: prose },
  { pattern: "len[dt]s?|lending", use: "lease" },
  { pattern: "doors?", use: "interface", allow: /[Bb]ack ?door/ },
  { pattern: "(?:audit )?trails?", use: "audit log" },
  { pattern: "what (?:few|many|most|one|somebody|nobody)", use: "name the thing", in: prose },
  {
    pattern: "ask(?:s|ed|ing)? for (?:a|an|the|its|no|them|more|what|it|all)",
    use: "requests",
    in: prose,
  },
  {
    pattern: "(?:that|which|who) (?:is|are|was|were) there",
    use: "that exist, present",
    in: prose,
  },
  {
    pattern: "(?:is|are|was|were) (?:not|no longer) there",
    use: "is missing, does not exist",
    in: prose,
  },
  { pattern: "e-mails?", use: "email" },
];

/** Ambiguous words: correct in some places, dialect in others. They are counted only. */
export const counted: readonly Term[] = [
  {
    pattern: "kept|keeps?|keeping|keeper",
    use: "stored, cached, retained",
    allow: /keep-?alive|keep alive|keep (?:in mind|the focus|focus)|housekeep/i,
  },
  { pattern: "told|tells?|telling", use: "reports, notifies, shows" },
  { pattern: "begins?|began|beginning", use: "start, create" },
  { pattern: "stands?|stood|standing", use: "is, appears", allow: /stand-?alone|standard/ },
  { pattern: "settle[sd]?|settling", use: "finalize, finish, resolve", allow: /all settled/i },
  {
    pattern: "places?|placed",
    use: "slot, location, path",
    allow: /in place|in the first place|takes? place|placeholder|place holder|place items/i,
  },
  { pattern: "news", use: "updates, events", allow: /hacker.?news/i },
  { pattern: "meanwhile", use: "in the meantime, concurrently", in: prose },
  {
    pattern: "hold|holds|held",
    use: "contains, stores, applies",
    in: prose,
    allow: /lock|lease|held by|on hold/i,
  },
  { pattern: "beside", use: "next to, alongside" },
  { pattern: "wants?|wanted", use: "needs, expected", in: prose },
  { pattern: "said|says?|saying", use: "states, reports, sent" },
  {
    pattern: "way|ways",
    use: "method, source, route",
    allow:
      /under way|underway|by the way|one-way|two-way|halfway|way to|no way|same way|this way|that way/i,
  },
  {
    pattern: "good",
    use: "valid",
    allow: /[Gg]ood (?:day|morning|practice|reason)|good bye|good@/,
  },
  { pattern: "what (?:is|are|was|were|has|had|it|they) \\w+", use: "name the thing", in: prose },
  {
    pattern: "whatever|wherever|however many|however long",
    use: "any, everywhere, regardless of",
    in: prose,
  },
  { pattern: "those (?:who|that|of|whose|which)", use: "the noun", in: prose },
  { pattern: "at once", use: "immediately, concurrently", in: prose },
  {
    pattern: "come|comes|came|coming",
    use: "arrives, is, follows",
    in: prose,
    allow: /comes? (?:from|with|first)/i,
  },
  { pattern: "goes|gone|went", use: "is sent, continues, is deleted", in: prose },
  { pattern: "asks?|asked", use: "requests, calls", in: prose },
  {
    pattern: "(?:of|by|to|at|with) no",
    use: "not ... any",
    in: prose,
    allow: /no (?:more|longer)/,
  },
  { pattern: "(?:is|are|was|were) over", use: "has finished", in: prose },
  { pattern: "what you", use: "name the thing", in: prose },
  {
    pattern: "dead|alive",
    use: "offline, expired, dead letter",
    in: prose,
    allow: /dead.?letter|keep.?alive|deadlock/i,
  },
  { pattern: "by (?:itself|themselves)", use: "automatically, alone", in: prose },
  {
    pattern: "all else|nothing else|nothing of (?:it|them|that|its|ours|their)",
    use: "no other X",
    in: prose,
  },
  {
    pattern: "of (?:its|their) own",
    use: "own, separate",
    in: prose,
    allow: /(?:mind|accord) of its own/,
  },
  {
    pattern: "there (?:is|are|was|were) none|there (?:is|are) no more",
    use: "no X exists",
    in: prose,
  },
  { pattern: "under way", use: "in progress, running", in: prose },
  {
    pattern:
      "for such (?:a|an) \\w+|so (?:long|many|much) (?:as|a|an)?(?= (?:is|are|was|no|it|that))",
    use: "name the limit",
    in: prose,
  },
  { pattern: "in (?:its|their|whose) stead|in (?:its|their) place", use: "instead", in: prose },
  { pattern: "as it is", use: "unchanged, as is", in: prose },
  { pattern: "mails?", use: "email", in: prose },
];

/** Files that others wrote or that must not change, and the list of terms itself. */
export const excluded: readonly RegExp[] = [
  /(?:^|\/)package-lock\.json$/,
  /(?:^|\/)LICENSE$/,
  /(?:^|\/)db\/migrations\//,
  /(?:^|\/)mcp-baseline-[\d-]+\.yml$/,
  /(?:^|\/)globals\.txt$/,
  /(?:^|\/)terms\/(?:terms|[a-z-]+\.test)\.ts$/,
  /(?:^|\/)dictionary\.txt$/,
  /(?:^|\/)catalog\/search\/lexicon\/[^/]+\.txt$/,
  /(?:^|\/)testing\/search\/questions\//,
  /(?:^|\/)cspell\.json$/,
  /\.(?:png|jpe?g|gif|ico|woff2?|wasm|pdf|zip)$/,
];

/** Parts of files that are not checked. */
export const masks: readonly { files: RegExp; pattern: RegExp; reason: string }[] = [
  {
    files: /(?:^|\/)docs\/reference\/glossary\.md$/,
    pattern: /\bNot:[^.]*\./g,
    reason: "names the words that are not used",
  },
  {
    files: /(?:^|\/)CONTRIBUTING\.md$/,
    pattern: /^\|.*\|$/gm,
    reason: "a table of words to avoid",
  },
];
