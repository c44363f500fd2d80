import type { Style } from '@signpost/qr';
import type { WantedRule } from '../../../apps/server/src/rules/code-rules.ts';

/** A code of the example shop, a coffee roaster at a harbour, and how it is scanned. */
export type ExampleCode = {
  readonly name: string;
  readonly destination: string;
  readonly style: Style;
  readonly tags?: readonly string[];
  readonly rules?: readonly WantedRule[];
  /** Days ago. */
  readonly made: number;
  /** Scans a day once it is on display. */
  readonly perDay: number;
  /** When people scan it. */
  readonly hours: 'café' | 'evening' | 'office';
  /** A campaign: how many days ago, how many days long, and the factor on scans. */
  readonly spike?: { readonly ago: number; readonly days: number; readonly times: number };
  readonly end?: 'paused' | 'draft';
  /** Later edits, with their age in days. */
  readonly edits?: readonly { readonly ago: number; readonly name?: string; readonly destination?: string }[];
};

const site = 'https://harbour-roasters.example';

const ink: Style = { dotsType: 'rounded', dotsColor: '#1D2B3A', cornersSquareType: 'extra-rounded' };
const coffee: Style = { dotsType: 'classy-rounded', dotsColor: '#3B2416', backgroundColor: '#FFF8EF' };
const sea: Style = {
  dotsType: 'classy',
  dotsColor: '#0B3C5D',
  cornersSquareType: 'extra-rounded',
  cornersSquareColor: '#0B3C5D',
};
const berry: Style = { dotsType: 'extra-rounded', dotsColor: '#5B1237', cornersSquareType: 'extra-rounded' };
const forest: Style = { dotsType: 'rounded', dotsColor: '#173F2A', backgroundColor: '#F4FAF4' };

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;
const lunch = { timezone: 'Europe/Berlin', windows: [{ days: weekdays, from: '11:00', to: '14:30' }] };
const to = (url: string) => [{ id: null, url, weight: 1, label: '' }];
const menuRules: readonly WantedRule[] = [
  {
    id: null,
    name: 'Lunch menu',
    active: true,
    when: { time: lunch },
    unless: {},
    to: to(`${site}/menu/lunch`),
  },
  {
    id: null,
    name: 'In German',
    active: true,
    when: { language: ['de'] },
    unless: {},
    to: to(`${site}/de/karte`),
  },
];

export const exampleCodes: readonly ExampleCode[] = [
  {
    name: 'Table menu',
    tags: ['Menu', 'Café'],
    rules: menuRules,
    destination: `${site}/menu`,
    style: ink,
    made: 196,
    perDay: 62,
    hours: 'café',
    edits: [
      { ago: 150, destination: `${site}/menu/spring` },
      { ago: 75, destination: `${site}/menu/summer` },
      { ago: 12, destination: `${site}/menu/autumn` },
    ],
  },
  {
    name: 'Takeaway cup',
    tags: ['Café'],
    destination: `${site}/loyalty?from=cup`,
    style: coffee,
    made: 188,
    perDay: 48,
    hours: 'café',
  },
  {
    name: 'Window poster',
    tags: ['Poster'],
    destination: `${site}/offers`,
    style: berry,
    made: 140,
    perDay: 19,
    hours: 'evening',
    spike: { ago: 34, days: 6, times: 7 },
    edits: [{ ago: 35, name: 'Window poster: harbour festival', destination: `${site}/harbour-festival` }],
  },
  {
    name: 'Bag: Ethiopia Sidamo',
    tags: ['Bags'],
    destination: `${site}/beans/sidamo`,
    style: forest,
    made: 170,
    perDay: 16,
    hours: 'evening',
  },
  {
    name: 'Bag: Colombia Huila',
    tags: ['Bags'],
    destination: `${site}/beans/huila`,
    style: coffee,
    made: 168,
    perDay: 12,
    hours: 'evening',
  },
  {
    name: 'Bag: Christmas blend',
    tags: ['Bags', 'Season'],
    destination: `${site}/beans/christmas`,
    style: berry,
    made: 24,
    perDay: 14,
    hours: 'evening',
  },
  {
    name: 'Trade fair stand',
    tags: ['Poster'],
    destination: `${site}/wholesale`,
    style: sea,
    made: 96,
    perDay: 3,
    hours: 'office',
    spike: { ago: 68, days: 3, times: 55 },
  },
  { name: 'Receipt: rate us', destination: `${site}/review`, style: {}, made: 120, perDay: 9, hours: 'café' },
  {
    name: 'Newsletter card',
    destination: `${site}/newsletter`,
    style: sea,
    made: 110,
    perDay: 6,
    hours: 'evening',
  },
  { name: 'Brewing guide', destination: `${site}/guide`, style: ink, made: 90, perDay: 11, hours: 'evening' },
  {
    name: 'Barista wanted',
    destination: `${site}/jobs/barista`,
    style: forest,
    made: 52,
    perDay: 5,
    hours: 'office',
  },
  {
    name: 'Summer terrace',
    tags: ['Season', 'Café'],
    destination: `${site}/terrace`,
    style: sea,
    made: 160,
    perDay: 21,
    hours: 'café',
    end: 'paused',
  },
  {
    name: 'Gift voucher 2027',
    tags: ['Season'],
    destination: `${site}/voucher`,
    style: berry,
    made: 3,
    perDay: 0,
    hours: 'office',
    end: 'draft',
  },
];
