import { fill } from './fill.ts';

/** Every text about sharing figures with people without an account. */
export const shareText = {
  open: 'Share',
  title: (name: string) => fill('Share {name}', { name }),
  lead: 'Everybody who has a link sees these figures, without signing in. Cities with fewer than 5 visitors are not named, and single scans are not shown.',
  notLoaded: 'Sharing was not opened',

  new: 'New link',
  heading: 'Heading',
  headingHint: 'What people read at the top of the page.',
  period: 'Period',
  periods: {
    '7': 'Last 7 days',
    '30': 'Last 30 days',
    '90': 'Last 90 days',
    '365': 'Last 365 days',
  },
  shownDays: (days: string) => fill('Only {days}', { days }),
  sections: 'Show',
  section: {
    chart: 'Scans over time',
    map: 'Countries and cities',
    codes: 'Names of the most scanned codes',
    placements: 'Placements',
    destinations: 'Destinations',
  },
  sectionMissing: 'Choose at least one',
  end: 'Ends after',
  endHint: 'Empty: when you revoke it.',
  endPast: 'Choose today or a later day',
  create: 'Create link',
  failed: 'The link was not created',
  secret: 'link',

  links: 'Links',
  until: (date: string) => fill('Works until {date}', { date }),
  ended: 'Ended',
  noEnd: 'Works until you revoke it',
  created: (date: string) => fill('Created {date}', { date }),
  lastFour: (end: string) => fill('…{end}', { end }),
  days: (count: number) => fill({ one: 'Last {count} day', other: 'Last {count} days' }, { count }),
  since: (date: string) => fill('Since {date}', { date }),
  revoke: 'Revoke',
  revokeOf: (name: string, end: string) => fill('Revoke {name} …{end}', { name, end }),
  revoked: 'Link revoked. Its page is gone.',
  revokeFailed: 'The link was not revoked',
};
