import { fill } from './fill.ts';

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
    importCodes: 'Import codes',
    tags: 'Tags',
    designs: 'Designs',
    print: 'Print',
    analytics: 'Analytics',
    developers: 'Developers',
    keys: 'API keys',
    webhooks: 'Webhooks',
    docs: 'API reference',
    settings: 'Settings',
    general: 'Account',
    domains: 'Domains',
    activity: 'Activity',
    account: 'Profile & security',
    newCode: 'New code',
    newDesign: 'New design',
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
    openReports: (count: number) =>
      fill({ one: '{count} open report', other: '{count} open reports' }, { count }),
    openAppeals: (count: number) => fill({ one: '{count} appeal', other: '{count} appeals' }, { count }),
  },

  mode: {
    label: 'Live or test mode',
    live: 'Live',
    test: 'Test',
    bannerTitle: 'Test mode',
    banner: 'Codes and scans here are separate from your live ones and don’t count against your limits.',
    leave: 'Back to live',
  },

  offline: {
    text: '{title} Nothing can be saved until you’re connected again.',
    title: 'You’re offline.',
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
    text: 'Check the address for typos. {link}',
    codes: 'Go to your codes',
  },

  suspended:
    'Your account is suspended. You can still view and export your data, delete codes and revoke keys.',

  /** What somebody is in an account. */
  roles: { owner: 'Owner', admin: 'Admin', editor: 'Editor', viewer: 'Viewer' },

  refusal: {
    codes: 'Viewers can’t create or change codes. Ask an owner or admin of this account.',
    deletion: 'Viewers can’t delete codes. Ask an owner or admin of this account.',
    editorDeletion: 'Editors can’t delete codes in this account. Ask an owner or admin.',
    designs: 'Viewers can’t create or change designs. Ask an owner or admin of this account.',
    webhooks: 'Only owners and admins manage webhooks. Ask one of them.',
    manage: 'Only owners and admins manage people and API keys. Ask one of them.',
    own: 'Only an owner of this account can do this.',
    other: 'Your role in this account doesn’t allow this. Ask an owner or admin.',
  },

  notAllowed: {
    title: 'Not part of your role',
    yours: (role: string, account: string) => fill('Your role in {account}: {role}.', { role, account }),
    codes: 'Go to your codes',
  },

  accounts: {
    label: 'Account',
    switchTo: (name: string) => fill('Switch to {name}', { name }),
    group: 'Accounts',
    new: 'New account',
    notLoaded: 'The dialog could not be loaded',
    notSwitched: 'You’re still in the same account',
    gone: (name: string) =>
      fill('You’re now in {name}. You no longer belong to the account you had open.', { name }),
  },

  confirmEmail: {
    title: 'Confirm your e-mail',
    waitingTitle: 'Waiting for a confirmed e-mail',
    waitsForOther:
      'Until then, people who scan your codes see that they are not confirmed yet, and you can create test keys only.',
    waitsForYou:
      'Until you confirm it, people who scan your codes see that they are not confirmed yet, and you can create test keys only.',
    other: 'The person who created this account has to confirm their e-mail.',
    noMail: 'This server sends no mail. Ask its operator for help.',
    sent: (email: string) => fill('A new link is on its way to {email}. It works for a day.', { email }),
    open: (email: string) =>
      fill('We sent a link to {email}. Open it to confirm that the address is yours.', { email }),
    again: 'Send again',
    notSent: 'The link was not sent',
  },

  palette: {
    label: 'Search or jump to',
    open: 'Search',
    controlK: 'Ctrl K',
    placeholder: 'Search codes, pages and actions',
    codes: 'Codes',
    pages: 'Pages',
    actions: 'Actions',
    nothing: 'No results',
    searching: 'Searching…',
    notSearched: 'Codes could not be loaded.',
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
    palette: 'Search or jump to anything',
    list: 'Show these shortcuts',
    close: 'Close a dialog',
  },
} as const;
