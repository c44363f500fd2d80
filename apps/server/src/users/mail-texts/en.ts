/** Every mail in English. What stands between braces is filled in; other languages have the same places. */
export const en = {
  somebody: 'Somebody',
  operator: 'The operator of this service',
  modes: { live: 'live', test: 'test' },
  reset: {
    subject: 'Set a new password',
    text: `Set a new password for your Signpost account. This link works once, for one hour:

{link}

If you didn't ask for this, ignore this e-mail. Your password stays the same.
`,
  },
  verify: {
    subject: 'Confirm your e-mail address',
    text: `Confirm your e-mail address to finish setting up your Signpost account. This link works for 24 hours:

{link}

If you didn't create this account, ignore this e-mail and don't open the link. The address stays unconfirmed.
`,
  },
  'new-key': {
    subject: 'New {mode} API key in your account',
    text: `A new {mode} API key was created in your Signpost account on {time}. See your keys:

{url}/app/settings/keys

If this wasn't you, revoke the key there, then set a new password:

{url}/app/forgot-password
`,
  },
  'new-password': {
    subject: 'Your password was changed',
    text: `The password of your Signpost account was changed on {time}. All other devices were signed out.

If this wasn't you, set a new password now:

{url}/app/forgot-password
`,
  },
  destinations: {
    subject: '{codes} of your codes lead elsewhere now',
    text: `The destinations of {codes} codes in your Signpost account were changed within a few minutes, the last on {time}. The page of each code shows who changed it, and what it was before:

{url}/app/codes

If this wasn't you, revoke API keys that you do not know, then set a new password:

{url}/app/forgot-password
`,
  },
  deletions: {
    subject: '{codes} of your codes were deleted',
    text: `{codes} codes in your Signpost account were deleted within a few minutes, the last on {time}. Printed copies no longer work. If that is a mistake, create new codes with the same link endings: only your account can use them again. Their earlier scans stay deleted.

{url}/app/codes

If this wasn't you, revoke API keys that you do not know, then set a new password:

{url}/app/forgot-password
`,
  },
  'new-browser': {
    subject: 'New sign-in to your account',
    text: `Your Signpost account was signed in to from a new browser: {device}, on {time}. See where you're signed in:

{url}/app/settings/account

If this wasn't you, set a new password, which signs out every device:

{url}/app/forgot-password
`,
  },
  'suspended-account': {
    subject: 'Your account was suspended for safety',
    text: `Your Signpost account was suspended for safety on {time}. Its short links no longer redirect anyone, and nothing was deleted.

Sign in to see why. If this is a mistake, you can appeal:

{url}/app
`,
  },
  'suspended-code': {
    subject: 'Your code was suspended for safety',
    text: `Your code {link} was suspended for safety on {time}. Its short link no longer redirects anyone, and nothing was deleted.

Sign in to see why. If this is a mistake, you can appeal:

{url}/app
`,
  },
  'released-account': {
    subject: 'Your account is no longer suspended',
    text: `Your Signpost account was released on {time} and is no longer suspended for safety. Sign in to see it:

{url}/app
`,
  },
  'released-code': {
    subject: 'Your code is no longer suspended',
    text: `Your code {link} was released on {time} and is no longer suspended for safety. Sign in to see it:

{url}/app
`,
  },
  'change-email': {
    subject: 'Confirm your new e-mail address',
    text: `You asked to use this e-mail address for your Signpost account. Open this link within 24 hours to confirm it, in a browser
where you are signed in:

{link}

If you didn't ask for this, ignore this e-mail. Nothing changes.
`,
  },
  'email-changing': {
    subject: 'Your Signpost e-mail address is about to change',
    text: `Someone who knows your password asked to change the e-mail address of your Signpost account on {time}. This address
stays in use until the new one is confirmed. You can cancel the change here:

{url}/app/settings/account

If this wasn't you, set a new password now, which also cancels the change:

{url}/app/forgot-password
`,
  },
  'email-changed': {
    subject: 'Your Signpost e-mail address was changed',
    text: `The e-mail address of your Signpost account was changed on {time}. This address can no longer be used to sign in or to
reset the password. All other sessions were signed out.

If this wasn't you, contact the operator of the server right away.
`,
  },
  'domain-target': {
    subject: '{host} no longer leads to one of its pages',
    text: `A page that {host} led to apart from its QR codes was found on a blocked host or a blocklist on {time}. It was removed: people see a page of the service there instead. Codes that are printed with {host} are not affected by this.

Ask the operator of the service if this is a mistake:

{url}/app
`,
  },
  closed: {
    subject: 'Your Signpost account was closed',
    text: `A Signpost account that you belonged to was closed on {time} by an owner who knows their password. Its codes no longer
work, and its data is being deleted. This can't be undone.

If it was your only account, your sign-in is deleted too: with the account if you created it, and after 30 days if you were invited.

If this is a surprise, ask the owners of the account, or the operator of the server.
`,
  },
  removed: {
    subject: 'You were removed from a Signpost account',
    text: `You were removed from a Signpost account on {time}, by an owner or admin of it. You no longer see its codes and scans.
Your other accounts stay as they are:

{url}/app

If it was your only account, your sign-in is deleted after 30 days.
`,
  },
  invitation: {
    subject: 'You are invited to a Signpost account',
    text: `{inviter} invites you to work on QR codes together in a Signpost account. This link works once, for 7 days, and for this e-mail address alone:

{link}

If you don't know who this is, ignore this e-mail. Nothing happens unless you open the link and accept.
`,
  },
} as const;

type Text<English> = English extends string
  ? string
  : { readonly [key in keyof English]: Text<English[key]> };

export type MailTexts = Text<typeof en>;
