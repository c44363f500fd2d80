import { fill } from './fill.ts';

/** Words of accounts, the people who belong to them, and invitations. */
export const peopleText = {
  cancel: 'Cancel',

  roles: {
    label: 'Role',
    owner: 'Everything, including closing the account and choosing its owners.',
    admin: 'Everything except closing the account and changing its owners.',
    editor: 'Create and change codes and designs. No people, keys or webhooks.',
    editorDeletes: 'Create, change and delete codes and designs. No people, keys or webhooks.',
    viewer: 'See codes, designs and analytics. Change nothing.',
  },

  accounts: {
    title: 'Your accounts',
    role: (role: string, scans: string) => fill('{role} · {scans}', { role, scans }),
    scans: (count: number) =>
      fill({ one: '{count} scan in 7 days', other: '{count} scans in 7 days' }, { count }),
    settings: 'Account settings',
    people: 'People',
    new: 'New account',
  },

  newAccount: {
    title: 'New account',
    text: 'Codes, people, keys and limits of an account are separate from those of your others. One account per client keeps them apart.',
    name: 'Name',
    placeholder: 'Café Aurora',
    nameMissing: 'Enter a name',
    copy: 'Copy designs from',
    copyHint: 'Live designs, with their logos.',
    copyNone: 'No account',
    action: 'Create account',
    failed: 'The account was not created',
    created: (name: string) => fill('{name} is ready. You’re its owner.', { name }),
    fullTitle: 'You can’t create another account',
    full: (limit: number) =>
      fill(
        {
          one: 'You can own {count} account. Ask the operator of this server for another one.',
          other: 'You can own {count} accounts. Ask the operator of this server for another one.',
        },
        { count: limit },
      ),
  },

  noAccount: {
    title: 'You belong to no account',
    text: 'You were removed, or the account was closed. You can still sign in.',
    invitations: 'Invitations',
    open: 'Open the link in the e-mail to accept.',
    openGiven: 'Open the link that you were given to accept.',
    invitation: '{inviter} invites you to {account} as {role}.',
    until: (date: string) => fill('The link works until {date}.', { date }),
    none: 'Ask an owner or admin of an account to invite {email}.',
    own: 'Start your own',
    ownText: 'With an account of your own you create codes right away.',
    create: 'Create an account',
    signOut: 'Sign out',
  },

  general: {
    title: 'Account',
    name: 'Name',
    nameTitle: 'Account name',
    nameText: 'Everybody who belongs to the account sees it, and people you invite.',
    nameMissing: 'Enter a name',
    saveName: 'Save name',
    nameSaved: 'Name saved.',
    nameFailed: 'The name was not changed',
    you: 'Your role',
    seePeople: 'See who belongs to it',
    rules: 'Editors',
    editorsDelete: 'Editors may delete codes',
    editorsDeleteHint:
      'A deleted code stops working wherever it is printed. Owners and admins may always delete.',
    allowed: 'Editors may delete codes now.',
    forbidden: 'Editors can’t delete codes any more.',
    ruleFailed: 'The rule was not changed',
    leave: 'Leave account',
    leaveText: 'You lose access. The account, its codes and its keys stay as they are.',
    leaveAction: 'Leave account…',
    leaveTitle: (account: string) => fill('Leave {account}?', { account }),
    leaveDialog:
      'You can’t open its codes and analytics any more. An owner or admin has to invite you to come back.',
    leaveKeys: 'API keys that you created stay valid until somebody revokes them.',
    leaveConfirm: 'Leave account',
    leaveFailed: 'You still belong to the account',
  },

  page: {
    title: 'People',
    text: (account: string) => fill('Who belongs to {account}, and what they may do.', { account }),
    invite: 'Invite',
    places: (used: string, limit: string) => fill('{used} of {limit} places used', { used, limit }),
    unconfirmed: 'Confirm your e-mail first: the invitation names it.',
    placesHint: 'Open invitations count too.',
    full: 'Every place is used. Remove somebody, revoke an invitation, or ask the operator of this server for more.',
  },

  members: {
    title: 'Members',
    person: 'Person',
    role: 'Role',
    joined: 'Joined',
    keys: 'API keys',
    actions: 'Actions',
    actionsFor: (email: string) => fill('Actions for {email}', { email }),
    you: 'You',
    copyEmail: 'Copy e-mail address',
    copied: 'The e-mail address was copied.',
    changeRole: 'Change role',
    remove: 'Remove',
    leave: 'Leave account',
    ownerOnly: 'Only an owner can change an owner.',
    lastOwner: 'The only owner. Make somebody else an owner first.',
  },

  changeRole: {
    title: (name: string) => fill('Change the role of {name}', { name }),
    ownerOnly: 'Only an owner can make another owner.',
    yourself: 'You lose what your new role doesn’t include as soon as you save.',
    save: 'Change role',
    saved: (name: string, role: string) => fill('{name}: {role} from now on.', { name, role }),
    failed: 'The role was not changed',
  },

  removal: {
    title: (name: string) => fill('Remove {name}?', { name }),
    text: (account: string) =>
      fill('Access to {account} ends immediately, also on pages that are open.', { account }),
    noKeys: 'They created no API keys.',
    keys: (count: number) =>
      fill(
        {
          one: '{count} API key that they created stays valid.',
          other: '{count} API keys that they created stay valid.',
        },
        { count },
      ),
    keysLink: 'Look at API keys',
    confirm: 'Remove',
    done: (name: string) => fill('{name} was removed.', { name }),
    failed: 'Nobody was removed',
  },

  invite: {
    title: 'Invite a person',
    email: 'E-mail address',
    emailHint: 'They accept by a link that works for this address only, once, for 7 days.',
    emailFault: 'Enter an e-mail address, like name@example.com',
    send: 'Send invitation',
    create: 'Create link',
    sent: (email: string) => fill('Invitation sent to {email}.', { email }),
    failed: 'Nobody was invited',
    noMail: 'This server sends no mail. You get a link to pass on yourself.',
    linkTitle: 'Pass on this link',
    linkText: (email: string) =>
      fill('Give this link to {email} yourself. It works for this address only, once, for 7 days.', {
        email,
      }),
    link: 'invitation link',
  },

  invitations: {
    title: 'Invitations',
    email: 'E-mail address',
    role: 'Role',
    by: 'Invited by',
    until: 'Works until',
    expired: 'Expired',
    actions: 'Actions',
    resend: 'Send again',
    newLink: 'New link',
    resent: (email: string) => fill('Sent to {email}. Earlier links stop working.', { email }),
    resendFailed: 'The invitation was not sent',
    revoke: 'Revoke',
    revoked: 'Invitation revoked.',
    revokeFailed: 'The invitation was not revoked',
  },

  /** The page that the link of an invitation leads to. */
  invitation: {
    title: (account: string) => fill('Join {account}', { account }),
    waiting: 'Your invitation',
    by: '{inviter} invites {email} to join as {role}.',
    until: (date: string) => fill('The link works until {date}.', { date }),
    signedInAs: (email: string) => fill('Signed in as {email}', { email }),
    accept: 'Accept',
    failed: 'You have not joined',
    accepted: (account: string) => fill('You now belong to {account}.', { account }),
    otherTitle: 'This invitation is for another address',
    other: (email: string) =>
      fill('You’re signed in as {email}. Sign out, then sign in or sign up with the invited address.', {
        email,
      }),
    signOut: 'Sign out',
    notSignedOut: 'You’re still signed in',
    signUp: 'I’m new here',
    signIn: 'I already sign in',
    choice: 'How you continue',
    sameAddress: (mask: string) => fill('The invited address: {mask}', { mask }),
    signUpAction: 'Sign up and join',
    signInAction: 'Sign in and join',
    forgot: 'Forgot password? Set a new one, then open the link in the e-mail again.',
    invalidTitle: 'This invitation doesn’t work',
    invalid: 'It has expired, was revoked or used, or the link is incomplete. Ask for a new one.',
    home: 'Go to your codes',
  },
} as const;
