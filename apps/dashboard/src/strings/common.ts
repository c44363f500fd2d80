import { fill } from './fill.ts';

/** Words that every feature shares: buttons, states, and what went wrong. */
export const commonText = {
  product: 'Signpost',
  pageTitle: (title: string) => fill('{title} · Signpost', { title }),
  loading: 'Loading',
  /** In the page itself (index.html). */
  noScript: 'The dashboard needs JavaScript. The API works without: see /docs.',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  done: 'Done',
  delete: 'Delete',
  undo: 'Undo',
  retry: 'Retry',
  tryAgain: 'Try again',
  unknown: 'Unknown',
  justNow: 'just now',
  optional: 'optional',

  copy: {
    copy: 'Copy',
    copied: 'Copied',
    copyWhat: (what: string) => fill('Copy {what}', { what }),
    failedTitle: 'Not copied',
    failed: 'Your browser blocked it. Select the text and copy it yourself.',
  },

  colorPicker: { saturationLabel: 'Saturation and brightness', hueLabel: 'Hue' },

  longText: {
    showAll: 'Show all',
    showLess: 'Show less',
    showAllOf: (what: string) => fill('Show all of {what}', { what }),
    showLessOf: (what: string) => fill('Show less of {what}', { what }),
  },

  pager: {
    page: (page: number, what: string) => fill('Page {page} of the {what}', { page, what }),
    control: (control: string, what: string) => fill('{control} page of the {what}', { control, what }),
  },

  api: { use: 'Use the API', curl: 'curl command' },

  secret: {
    title: 'Copy it now',
    text: 'You won’t see it again.',
    done: 'Done',
    discardTitle: (what: string) => fill('Close without copying the {what}?', { what }),
    discardText: 'You won’t see it again. If you need it later, you’ll have to create a new one.',
    discard: 'Close without it',
    keep: 'Go back',
  },

  unsaved: {
    title: 'Discard your changes?',
    text: 'You’ll lose your changes.',
    leave: 'Discard',
    stay: 'Keep editing',
  },

  live: {
    connecting: { label: 'Connecting', hint: 'New scans will appear here automatically.' },
    live: { label: 'Live', hint: 'New scans appear here automatically.' },
    away: { label: 'Reconnecting…', hint: 'Scans you missed will be added.' },
  },

  status: {
    active: 'Active',
    paused: 'Paused',
    draft: 'Draft',
    archived: 'Archived',
    deleted: 'Deleted',
    suspended: 'Suspended',
    held: 'E-mail not confirmed',
  },

  agents: {
    ios: 'iPhone and iPad',
    android: 'Android',
    desktop: 'Desktop',
    safari: 'Safari',
    chrome: 'Chrome',
    samsung_browser: 'Samsung Internet',
    firefox: 'Firefox',
    edge: 'Edge',
    other: 'Other',
  },

  problem: {
    notLoaded: 'This page could not be loaded',
    notSaved: 'Not saved',
    kept: 'Your change is still here.',
    request: (id: string) => fill('Request {id}', { id }),
    unreachable: 'The server isn’t responding.',
    unavailable: 'The server can’t reach its database.',
    timeout: 'The server took too long.',
    fault: 'Something went wrong on the server.',
    unexpected: 'Something unexpected happened.',
    status: (status: number) => fill('The server answered with {status}.', { status }),
    offlineSentence: 'You’re offline.',
    unreachableSentence: 'The server isn’t responding. Check your connection, then try again.',
    unavailableSentence: 'The server can’t reach its database. Try again in a moment.',
    chunkTitle: 'This page could not be loaded',
    chunk: 'A part of the dashboard is missing. Check your connection, then try again.',
  },

  advice: {
    reload: 'Reload the page. If it happens again, tell the operator what you did.',
    quota: 'Delete a code that you no longer need, or ask the operator of this server for more.',
    plan: 'Ask the operator of this server.',
    wait: (time: string) => fill('Wait {time}, then try again.', { time }),
    aSecond: 'a second',
    seconds: (count: number) => fill({ one: '{count} second', other: '{count} seconds' }, { count }),
    aMinute: 'a minute',
    fault: 'Try again in a moment. If it continues, give the operator the request number.',
  },
} as const;
