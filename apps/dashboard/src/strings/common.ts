import { fill } from './fill.ts';

/** Words that every feature shares: buttons, states, and what went wrong. */
export const commonText = {
  product: 'Signpost',
  pageTitle: (title: string) => `${title} · Signpost`,
  loading: 'Loading',
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
    copyWhat: (what: string) => `Copy ${what}`,
    failedTitle: 'Not copied',
    failed: 'Your browser did not allow it. Select the text and copy it by hand.',
  },

  colorPicker: { saturationLabel: 'Saturation and brightness', hueLabel: 'Hue' },

  longText: {
    showAll: 'Show all',
    showLess: 'Show less',
    showAllOf: (what: string) => `Show all of ${what}`,
    showLessOf: (what: string) => `Show less of ${what}`,
  },

  pager: {
    page: (page: number, what: string) => `Page ${page} of the ${what}`,
    control: (control: string, what: string) => `${control} page of the ${what}`,
  },

  api: { use: 'Use the API', curl: 'curl command' },

  secret: {
    title: 'Copy it now',
    text: 'You won’t see it again.',
    done: 'Done',
    discardTitle: (what: string) => `Close without copying the ${what}?`,
    discardText: 'You won’t see it again. If you need it later, you have to make a new one.',
    discard: 'Close without it',
    keep: 'Go back',
  },

  unsaved: {
    title: 'Leave without saving?',
    text: 'Your changes are not saved.',
    leave: 'Leave',
    stay: 'Stay',
  },

  live: {
    connecting: { label: 'Connecting', hint: 'New scans will appear here automatically.' },
    live: { label: 'Live', hint: 'New scans appear here automatically.' },
    away: { label: 'Reconnecting…', hint: 'Missed scans will be added.' },
  },

  status: {
    active: 'Active',
    paused: 'Paused',
    draft: 'Draft',
    deleted: 'Deleted',
    suspended: 'Suspended',
    held: 'Waiting for e-mail',
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
    because: (title: string, reason: string) => `${title}: ${reason}.`,
    kept: 'Your change is still here.',
    request: (id: string) => `Request ${id}`,
    offline: 'you’re offline',
    unreachable: 'the server does not answer',
    unavailable: 'the server can’t reach its database',
    timeout: 'the server took too long',
    fault: 'something failed on the server',
    unexpected: 'something unexpected happened',
    status: (status: number) => `The server answered with ${status}.`,
    offlineSentence: 'You’re offline.',
    unreachableSentence: 'The server does not answer. Check your connection, then try again.',
    unavailableSentence: 'The server can’t reach its database. Try again in a moment.',
    chunkTitle: 'This page could not be loaded',
    chunk: 'A part of the dashboard is missing. Check your connection, then try again.',
  },

  advice: {
    reload: 'Reload the page. If it happens again, tell the operator what you did.',
    quota: 'Delete a code that you no longer need, or ask the operator of this server for more.',
    plan: 'Ask the operator of this server.',
    wait: (time: string) => `Wait ${time}, then try again.`,
    aSecond: 'a second',
    seconds: (count: number) => fill({ one: '{count} second', other: '{count} seconds' }, { count }),
    aMinute: 'a minute',
    fault: 'Try again in a moment. If it continues, give the operator the request number.',
  },
};
