/** The words of sign-in, sign-up, and the links in mails. */
export const signInText = {
  product: 'Signpost',
  promise: 'Print once. Change the destination any time.',
  pageTitle: (title: string) => `${title} · Signpost`,
  signIn: 'Sign in',
  backToSignIn: 'Back to sign in',

  name: 'Name',
  email: 'E-mail',
  password: 'Password',
  passwordRule: (characters: number) => `At least ${characters} characters. Avoid common passwords.`,
  nameMissing: 'Enter your name',
  emailFault: 'Enter an e-mail address, like name@example.com',
  passwordMissing: 'Enter your password',
  passwordShort: (characters: number) => `Use at least ${characters} characters`,

  signInForm: {
    failure: 'You’re not signed in',
    forgot: 'Forgot password?',
    isNew: 'New here?',
    create: 'Create an account',
    closed: 'The operator of this server creates accounts.',
  },

  signUpForm: {
    title: 'Create an account',
    description: 'Your first code is a minute away.',
    action: 'Create account',
    failure: 'Your account was not created',
    hasAccount: 'Already have an account?',
    closedTitle: 'Sign-up is closed',
    closed: 'Ask the operator of this server for an account.',
  },

  noOperator: {
    title: 'This server has no operator yet',
    question: 'Is it yours?',
    setUp: 'Set it up with its token',
  },

  firstOperator: {
    title: 'Set up this server',
    description:
      'You become its operator, with an account without limits. The token proves that the server is yours.',
    action: 'Become the operator',
    failure: 'Setup failed',
    token: 'Token',
    tokenMissing: 'Enter the token from the server',
    tokenFrom: 'From the file',
    tokenFile: 'first-operator-token',
    tokenWhere: 'on the server. Its log says where. No file? Run',
    command: 'signpost admin create-user',
    commandWith: 'with',
    commandOption: '--operator',
    commandEnd: 'instead.',
    takenTitle: 'This server has an operator',
    taken: 'Ask the operator for an account.',
  },

  forgotPassword: {
    title: 'Choose a new password',
    description: 'We’ll e-mail you a link that works once.',
    action: 'Send link',
    failure: 'The link was not sent',
    sentTitle: 'Check your inbox',
    sent: 'If there is an account with this address, the link is on its way. It works for an hour.',
    noMail:
      'This server can’t send e-mail. Ask its operator for a link to set a new password. They create one with this command:',
    command: 'signpost admin reset-link YOUR-EMAIL',
  },

  resetPassword: {
    title: 'Choose a new password',
    description: 'This signs you out everywhere, and all other links we sent you stop working.',
    action: 'Change password',
    failure: 'Your password was not changed',
    newLink: 'Get a new link',
    incompleteTitle: 'This link is incomplete',
    incomplete: 'Open it from the e-mail again, or get a new one.',
    newPassword: 'New password',
    revokeKeys: 'Revoke all API keys too',
    revokeKeysHint:
      'Do this if someone else may know your password. Programs that use a key stop working until they get a new one.',
    changedTitle: 'Password changed',
    signedOut: 'You’re signed out everywhere.',
    keysRevoked: (keys: number) => (keys === 1 ? '1 API key was revoked.' : `${keys} API keys were revoked.`),
    checkTitle: 'Check this account',
    check: 'This e-mail address was not confirmed before, so someone else may have created the account.',
    codesPaused: (codes: number) =>
      codes === 1
        ? 'Its code is paused: resume it if it’s yours, or delete it.'
        : `Its ${codes} codes are paused: resume your own and delete the others.`,
    webhooksOff: (webhooks: number) =>
      webhooks === 1 ? 'Its webhook is turned off.' : `Its ${webhooks} webhooks are turned off.`,
    checkAll: 'Check every destination, and delete what isn’t yours.',
  },

  verifyEmail: {
    title: 'Confirm your e-mail',
    signInFirst:
      'Sign in to the account you created with this address. If you didn’t create one, ignore the e-mail and close this page.',
    explanation: 'Confirm only if you created this account yourself.',
    signInEmail: 'E-mail',
    signInAndConfirm: 'Sign in and confirm',
    action: 'Confirm e-mail',
    failure: 'Your address was not confirmed',
    incompleteTitle: 'This link is incomplete',
    incomplete: 'Open it from the e-mail again, or sign in to get a new one.',
    confirmedTitle: 'E-mail confirmed',
    confirmed: 'You can close this page or continue.',
    next: 'Go to your codes',
  },
};
