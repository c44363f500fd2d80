import type { CountryCount } from '../analytics/analytics.ts';
import { escapeHtml } from '../http/pages/escape-html.ts';
import world from './outlines.json' with { type: 'json' };
import { words } from './words.ts';

type Box = readonly [left: number, top: number, right: number, bottom: number];

const shapes = world.outlines as unknown as readonly {
  readonly country: string;
  readonly box: Box;
  readonly path: string;
}[];

const whole: Box = [0, 0, world.width, world.height];
const ratio = world.width / world.height;
/** One small country does not fill the map: its neighbours say where it is. */
const mostZoom = 6;
const margin = 1.25;
/** A country with fewer of the scans does not zoom the map out. */
const fewShare = 0.02;

/** Countries by scans: the darker, the more. Shows the part of the world with nearly all scans. */
export function drawMap(countries: readonly CountryCount[]): string {
  const scans = new Map(countries.map(({ country, scans: of }) => [country, of]));
  const most = Math.max(1, ...scans.values());
  const view = chooseView(countries);
  const [left, top, right, bottom] = view;
  const land = shapes
    .filter(({ box }) => box[0] < right && box[2] > left && box[1] < bottom && box[3] > top)
    .map(({ country, path }) => {
      const found = scans.get(country);
      if (found === undefined) return `<path d="${path}"/>`;
      const opacity = Math.round((0.25 + 0.75 * Math.sqrt(found / most)) * 100) / 100;
      const title = escapeHtml(words.map.country(words.country(country), found));
      return `<path class="on" fill-opacity="${opacity}" d="${path}"><title>${title}</title></path>`;
    });
  const first = countries.find(({ country }) => country !== 'XX');
  const label = escapeHtml(words.map.label(words.country(first?.country ?? 'XX')));
  return `<svg class="map" viewBox="${left} ${top} ${right - left} ${bottom - top}" role="img" aria-label="${label}">${land.join('')}</svg>`;
}

/** Around the countries with scans, in the shape of the map. */
function chooseView(countries: readonly CountryCount[]): Box {
  const total = countries.reduce((sum, { scans }) => sum + scans, 0);
  const known = countries.filter(({ scans }) => scans >= total * fewShare).map(({ country }) => country);
  const boxes = shapes.filter(({ country }) => known.includes(country)).map(({ box }) => box);
  if (boxes.length === 0) return whole;
  const [left, top, right, bottom] = [
    Math.min(...boxes.map(box => box[0])),
    Math.min(...boxes.map(box => box[1])),
    Math.max(...boxes.map(box => box[2])),
    Math.max(...boxes.map(box => box[3])),
  ] as const;
  const wanted = margin * Math.max(right - left, (bottom - top) * ratio);
  const width = Math.round(Math.min(world.width, Math.max(world.width / mostZoom, wanted)));
  const height = Math.round(width / ratio);
  const clamp = (start: number, length: number, end: number) =>
    Math.round(Math.min(end - length, Math.max(0, start)));
  const x = clamp((left + right - width) / 2, width, world.width);
  const y = clamp((top + bottom - height) / 2, height, world.height);
  return [x, y, x + width, y + height];
}
