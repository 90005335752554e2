/** The texts of the pages for accounts, for connecting apps, credentials and chat accounts, and for errors. */
export const messages = {
  page: {
    problemTitle: "Something went wrong",
    home: "Go to Toolhost",
    closeWindow: "You can close this window.",
    emailAddress: "Email address",
    signedInAs: "Signed in as",
    notYou: "Not you?",
    signIn: "Sign in",
    createAccount: "Create account",
    haveAccount: "Already have an account?",
    checkEmail: "Check your email",
    foreignForm: "This form was sent from another site. Open the page here and send it again.",
    malformedForm: "The form is incomplete or malformed. Go back and send it again.",
    formType: "Send the form as application/x-www-form-urlencoded.",
    sessionExpired: "Your session has expired. Open the link again to sign in.",
    otherPersonSignedIn: "Another user is signed in now. Open the link again.",
  },

  waiting: {
    starting: {
      title: "Toolhost is starting",
      body: "This page reloads as soon as the service is ready.",
    },
    stopping: {
      title: "Toolhost is restarting or stopping",
      body: "This page reloads as soon as the service is back.",
    },
  },

  signIn: {
    title: "Sign in",
    heading: "Sign in to Toolhost",
    password: "Password",
    submit: "Sign in",
    withProvider: (name: string) => `Sign in with ${name}`,
    newHere: "New here?",
    forgotPassword: "Forgot password?",
    firstPassword: "Where do I find the first password?",
    failed: "Sign-in failed. Try again, or use another sign-in method.",
    providerUnavailable:
      "The sign-in provider isn't responding. Try again later, or use another sign-in method.",
    unverified: "Confirm your email address first. We've sent you a link.",
    wrongCredentials: "The email address or password is incorrect.",
  },

  secondFactor: {
    title: "Two-factor authentication",
    lead: "Enter the six-digit code from your authenticator app, or a backup code.",
    code: "Code",
    submit: "Verify code",
    otherAccount: "Sign in with another account",
    wrongCode: "This code is incorrect or was already used.",
  },

  signUp: {
    title: "Create an account",
    firstTitle: "Welcome to Toolhost",
    firstLead: "This server is new. The first account owns the server and its first workspace.",
    name: "Your name",
    password: "Password, at least 8 characters",
    checkEmail: (email: string) =>
      `We've sent a link to ${email}. Open it to confirm your address, then sign in. If you already have an account, just sign in.`,
    closed:
      "This server accepts sign-ups by invitation only. Ask an admin of a workspace for an invitation.",
    setupLink:
      "This server has no owner yet. Open the setup link in the server's log to create the first account.",
    exists: "An account with this email address already exists. Sign in instead.",
    failed: "The account couldn't be created. Check what you entered and try again.",
  },

  recovery: {
    forgotTitle: "Forgot password?",
    forgotLead: "Enter your email address, and we'll send you a link to choose a new password.",
    forgotSubmit: "Send link",
    noEmail:
      "This server doesn't send email, so it can't send you a link. If you are still signed in on another device, continue there. Otherwise, ask the operator of this server.",
    linkSent:
      "If an account with this address exists, we've sent it a link. The link is valid for 30 minutes.",
    resetTitle: "Choose a new password",
    newPassword: "New password, at least 8 characters",
    resetSubmit: "Change password",
    resetDone: "Password changed",
    signedOut: "You have been signed out everywhere.",
    passwordLength: "The password must have 8 to 200 characters.",
    resetExpired: "This link is invalid or has expired. Request a new one.",
    verifyTitle: "Confirm your email address",
    verifySubmit: "Confirm address",
    verifyDone: "Your email address is confirmed",
    verifyExpired: "This link is invalid or has expired. Sign in to get a new one.",
  },

  invitation: {
    title: (workspace: string) => `Join ${workspace}`,
    invitedAs: (workspace: string, role: string, email: string) =>
      `You've been invited to join ${workspace} as ${role}. The invitation is for ${email}.`,
    submit: "Join workspace",
    otherAddress: (email: string) =>
      `You are signed in as ${email}, but the invitation is for another address.`,
    signIn: "Sign in with the invited address",
    invalid: "This invitation is no longer valid. It was accepted, revoked, or has expired.",
  },

  consent: {
    title: (app: string) => `Connect ${app}`,
    lead: "This app wants to use Toolhost on your behalf.",
    redirectsTo: "You will be redirected to",
    localProgram: (protocol: string) => `an app on this device (${protocol})`,
    localWarning: "This app runs on your computer. Allow it only if you started it yourself.",
    workspace: "Workspace",
    permissions: "Permissions",
    manage: "You can remove access at any time under Connected apps.",
    allow: "Allow",
    decline: "Decline",
    selectPermission: "Select at least one permission, or decline.",
    noWorkspace: (email: string) =>
      `${email} isn't a member of a workspace where apps can be connected. Ask an admin of a workspace for an invitation.`,
  },

  authorizationError: {
    title: "This app could not be connected",
    noAccess: "No access was granted.",
    details: "Details for the developer of the app",
    error: "Error",
    app: "App",
    clientId: "Client ID",
    redirectUri: "Requested redirect URI",
    notShown: "not shown because it contains invalid characters",
    unknownApp:
      "This server doesn't know the app. Remove the connection in the app, then connect again.",
    documentUnreadable:
      "This server couldn't read the document that describes the app. Try again later. If this server can't reach the internet, its operator can set OAUTH_CLIENT_DOCUMENTS=0; then remove the connection in the app and connect again.",
    redirectUriInvalid:
      "The app requested a redirect to a URL that it hasn't registered, so you weren't redirected.",
    expired: "This request was already answered or has expired. Start again in the app.",
    serverError: "Something went wrong on this server. Go back to the app and try again.",
    invalidRequest: "The app sent an invalid request. Go back to the app and try again.",
  },

  connection: {
    title: (name: string) => `Connect ${name}`,
    lead: (host: string, isShared: boolean) =>
      `You will be asked for consent at ${host}. The token that Toolhost receives becomes ${
        isShared ? "a credential of the workspace, for all its members" : "your own credential"
      }.`,
    hosts: "Tools may send it to",
    alsoApproves: (version: number, tool: string) =>
      `Connecting also approves version ${version} of ${tool}`,
    continue: (host: string) => `Continue to ${host}`,
    doneTitle: "Connected",
    done: (name: string) => `${name} is connected.`,
    approved: (version: number, tool: string) => `Version ${version} of ${tool} is approved.`,
    toolChanged:
      "The tool has changed since you started, so nothing was approved yet. Review what it requests now.",
    review: (tool: string) => `Review ${tool}`,
  },

  chat: {
    connectTitle: (platform: string) => `Connect ${platform}`,
    unknownPlatform: "chat platform",
    signedIn: "You are signed in. Continue to choose what to connect.",
    continue: "Continue",
    connectedTitle: "Connected",
    notConnectedTitle: "Not connected",
    connected: (team: string) =>
      `${team} is connected. To try it, mention the bot in a channel that the bot is a member of.`,
    settings: "Back to settings",
    linkTitle: "Link your account",
    linkHeading: (platform: string) => `Link this ${platform} account?`,
    chat: "Chat",
    user: "Chat user",
    linkWarning:
      "This chat user will be able to run tools on your behalf, with your credentials. Continue only if you asked the bot for this link yourself. Chat users choose their display names, so this may be someone else even if the name is yours.",
    linkSubmit: "Link account",
    unexpectedLink: "If someone sent you this link, close this window.",
    linkedTitle: "Account linked",
    linked: "The bot continues in your chat. You can close this window.",
    manage: "Manage linked accounts",
    form: {
      choose: "Choose…",
      problem: (hasFiles: boolean) =>
        hasFiles
          ? "Nothing was run. Correct the fields below, and choose the files again."
          : "Nothing was run. Correct the fields below.",
      sentTitle: "Sent",
      sent: (team: string) => `The answer appears in the thread in ${team}.`,
    },
  },
} as const;
