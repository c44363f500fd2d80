/** Words of the frame around every page. */
export const shellText = {
  skip: 'Skip to content',
  brand: 'Signpost, to your codes',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',

  navigation: {
    label: 'Main',
    codes: 'Codes',
    import: 'Import',
    analytics: 'Analytics',
    developers: 'Developers',
    keys: 'API keys',
    webhooks: 'Webhooks',
    docs: 'API reference',
    settings: 'Settings',
    account: 'Profile & security',
    plan: 'Plan',
    operator: 'Operator',
    reports: 'Reports',
    lookUp: 'Look up',
    people: 'People',
    accounts: 'Accounts',
    plans: 'Plans',
    suspensions: 'Suspensions',
    blockedHosts: 'Blocked hosts',
    setup: 'Set-up check',
    open: 'open',
    appeals: (count: number) => (count === 1 ? 'appeal' : 'appeals'),
  },

  mode: {
    label: 'Live or test mode',
    live: 'Live',
    test: 'Test',
    bannerTitle: 'Test mode',
    banner: 'Codes and scans here are separate from your live ones and don’t count against your plan.',
    leave: 'Back to live',
  },

  offline: {
    title: 'You’re offline',
    text: 'Nothing can be saved until you’re connected again.',
  },

  menu: {
    label: 'Account menu',
    account: 'Profile & security',
    light: 'Light',
    dark: 'Dark',
    auto: 'Same as system',
    keys: 'Keyboard shortcuts',
    signOut: 'Sign out',
    notSignedOut: 'Not signed out',
  },

  notFound: {
    title: 'Page not found',
    text: 'Check the address for typos.',
    codes: 'Go to your codes',
  },

  suspended: 'Your account is suspended. You can still read, export, delete codes and revoke keys.',

  confirmEmail: {
    title: 'Confirm your e-mail',
    waitingTitle: 'Waiting for a confirmed e-mail',
    waits:
      'your short links show a page saying the code is not confirmed yet, and you can make test keys only.',
    untilThen: 'Until then',
    untilYou: 'Until you confirm it',
    other: 'The person who created this account has to confirm their e-mail.',
    noMail: 'This server sends no mail. Ask its operator for help.',
    sent: (email: string) => `A new link is on its way to ${email}. It works for a day.`,
    open: (email: string) => `We sent a link to ${email}. Open it to confirm that the address is yours.`,
    again: 'Send again',
    notSent: 'The link was not sent',
  },

  palette: {
    label: 'Search and go to',
    open: 'Search',
    controlK: 'Ctrl K',
    placeholder: 'Search codes, pages and actions',
    codes: 'Codes',
    pages: 'Pages',
    actions: 'Actions',
    nothing: 'Nothing found',
    searching: 'Searching…',
    notSearched: 'Codes could not be searched.',
    newCode: 'New code',
    importCodes: 'Import codes',
    toTest: 'Switch to test mode',
    toLive: 'Switch to live mode',
    keys: 'Keyboard shortcuts',
  },

  keys: {
    title: 'Keyboard shortcuts',
    newCode: 'New code',
    search: 'Search codes',
    palette: 'Search everything and go to pages',
    list: 'This list',
    close: 'Close a dialog',
  },
};
