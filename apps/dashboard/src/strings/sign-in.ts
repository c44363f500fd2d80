import { fill } from './fill.ts';

/** The words of sign-in, sign-up, and the links in mails. */
export const signInText = {
  product: 'Signpost',
  promise: 'Print once. Change the destination at any time.',
  pageTitle: (title: string) => fill('{title} · Signpost', { title }),
  language: 'Language',
  signIn: 'Sign in',
  backToSignIn: 'Back to sign in',

  name: 'Name',
  email: 'E-mail',
  password: 'Password',
  passwordRule: (characters: number) =>
    fill('At least {characters} characters. Avoid common passwords.', { characters }),
  nameMissing: 'Enter your name',
  emailFault: 'Enter an e-mail address, like name@example.com',
  passwordMissing: 'Enter your password',
  passwordShort: (characters: number) => fill('Use at least {characters} characters', { characters }),

  signInForm: {
    failure: 'You’re not signed in',
    forgot: 'Forgot password?',
    isNew: 'New here? {link}',
    create: 'Create an account',
    closed: 'The operator of this server creates accounts.',
  },

  sessionEnded: {
    title: 'Sign in to continue',
    text: 'Your session has ended. What you typed is still here, and what you started continues after you sign in.',
    failure: 'You’re not signed in',
    leave: 'Leave without saving',
  },

  signUpForm: {
    title: 'Create an account',
    description: 'Your first code is a minute away.',
    action: 'Create account',
    failure: 'Your account was not created',
    hasAccount: 'Already have an account? {link}',
    closedTitle: 'Sign-up is closed',
    closed: 'Ask the operator of this server for an account.',
  },

  noOperator: {
    title: 'This server has no operator yet',
    question: 'Is it yours? {link}.',
    setUp: 'Set it up with its token',
  },

  firstOperator: {
    title: 'Set up this server',
    description:
      'You become its operator, with an account that has no limits. The token proves that the server is yours.',
    action: 'Become the operator',
    failure: 'Setup failed',
    token: 'Token',
    tokenMissing: 'Enter the token from the server',
    tokenHint:
      'From the file {file} on the server. Its log says where. No file? Run {command} with {option} instead.',
    tokenFile: 'first-operator-token',
    command: 'signpost admin create-user',
    commandOption: '--operator',
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
    keysRevoked: (keys: number) =>
      fill({ one: '{count} API key was revoked.', other: '{count} API keys were revoked.' }, { count: keys }),
    checkTitle: 'Check this account',
    check: 'This e-mail address was not confirmed before, so someone else may have created the account.',
    codesPaused: (count: number) =>
      fill(
        {
          one: 'Its code is paused: resume it if it’s yours, or delete it.',
          other: 'Its {count} codes are paused: resume your own and delete the others.',
        },
        { count },
      ),
    webhooksOff: (webhooks: number) =>
      fill(
        { one: 'Its webhook is turned off.', other: 'Its {count} webhooks are turned off.' },
        { count: webhooks },
      ),
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
} as const;
