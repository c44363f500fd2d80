import type { Browser, Device } from '../../../apps/server/src/scans/scan.ts';

/** Where the customers of the example shop are: mostly around its harbour, and some abroad. */
export type Place = {
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly language: string;
};

/** The language that most people there prefer. */
const languages: Readonly<Record<string, string>> = {
  ...{ DE: 'de', AT: 'de', CH: 'de', NL: 'nl', DK: 'da', SE: 'sv', GB: 'en', US: 'en', CA: 'en', AU: 'en' },
  ...{ FR: 'fr', PL: 'pl', IT: 'it', ES: 'es', JP: 'ja', BR: 'pt' },
};

const place = (country: string, region: string, city: string): Place => ({
  country,
  region,
  city,
  language: languages[country] ?? '',
});

export const places: readonly (readonly [Place, number])[] = [
  [place('DE', 'Hamburg', 'Hamburg'), 260],
  [place('DE', 'Bremen', 'Bremen'), 70],
  [place('DE', 'Berlin', 'Berlin'), 95],
  [place('DE', 'Bavaria', 'Munich'), 48],
  [place('DE', 'North Rhine-Westphalia', 'Cologne'), 42],
  [place('DE', 'Schleswig-Holstein', 'Kiel'), 38],
  [place('DE', 'Hesse', 'Frankfurt am Main'), 30],
  [place('NL', 'North Holland', 'Amsterdam'), 58],
  [place('NL', 'South Holland', 'Rotterdam'), 26],
  [place('DK', 'Capital Region', 'Copenhagen'), 44],
  [place('SE', 'Skåne County', 'Malmö'), 18],
  [place('SE', 'Stockholm', 'Stockholm'), 20],
  [place('GB', 'England', 'London'), 46],
  [place('GB', 'Scotland', 'Edinburgh'), 12],
  [place('FR', 'Île-de-France', 'Paris'), 28],
  [place('AT', 'Vienna', 'Vienna'), 22],
  [place('CH', 'Zurich', 'Zurich'), 17],
  [place('PL', 'West Pomerania', 'Szczecin'), 14],
  [place('IT', 'Lombardy', 'Milan'), 11],
  [place('ES', 'Catalonia', 'Barcelona'), 13],
  [place('US', 'New York', 'New York'), 24],
  [place('US', 'California', 'San Francisco'), 12],
  [place('CA', 'Ontario', 'Toronto'), 7],
  [place('JP', 'Tokyo', 'Tokyo'), 9],
  [place('AU', 'Victoria', 'Melbourne'), 6],
  [place('BR', 'São Paulo', 'São Paulo'), 4],
  [place('XX', '', ''), 12],
];

/** The devices that scan a code. */
export const phones: readonly (readonly [readonly [Device, Browser], number])[] = [
  [['ios', 'safari'], 46],
  [['android', 'chrome'], 33],
  [['android', 'samsung_browser'], 9],
  [['ios', 'chrome'], 4],
  [['android', 'firefox'], 2],
  [['ios', 'other'], 2],
  [['android', 'other'], 2],
  [['desktop', 'chrome'], 1.2],
  [['desktop', 'edge'], 0.5],
  [['other', 'other'], 0.3],
];
