import { dailyAverage } from '../analytics/analytics.ts';
import { presentDays } from '../analytics/period.ts';
import { colourProperties, fonts, lightColours, mark, printProperties } from '../http/pages/brand.ts';
import { escapeHtml } from '../http/pages/escape-html.ts';
import { createPublicLayout, type PublicPage, publicPage } from '../http/pages/public-page.ts';
import type { Attribution } from '../scans/geoip/attribution.ts';
import { type Bar, chartFile, drawChart, type Palette } from './chart.ts';
import type { PageFigures } from './figures.ts';
import { drawMap } from './map.ts';
import { isTest, type OpenLink } from './share-link.ts';
import { words } from './words.ts';

const style = `${colourProperties}
${printProperties}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 ${fonts.sans};-webkit-text-size-adjust:100%}
main{max-width:62rem;margin:0 auto;padding:2.5rem 1.25rem 2rem;overflow-wrap:anywhere}
header{padding-bottom:1.5rem;border-bottom:1px solid var(--line)}
h1{font-size:clamp(1.625rem,1.2rem + 2vw,2.25rem);font-weight:650;line-height:1.2;letter-spacing:-.015em;margin:0;text-wrap:balance}
h2{font-size:1.125rem;font-weight:600;margin:0}
h3{font-size:.875rem;font-weight:600;margin:0 0 .5rem}
p{margin:0}
header p{margin-top:.375rem;color:var(--soft)}
.test{display:inline-block;margin-bottom:.75rem;padding:.125rem .625rem;border:1px solid var(--edge);border-radius:1rem;color:var(--ink);font-size:.8125rem}
dl{display:grid;grid-template-columns:repeat(3,1fr);gap:1rem;margin:1.75rem 0 0}
dt{color:var(--soft);font-size:.875rem}
dd{margin:0;font-size:clamp(1.5rem,1.1rem + 1.8vw,2.25rem);font-weight:650;line-height:1.2;letter-spacing:-.015em;font-variant-numeric:tabular-nums}
section{margin-top:2.5rem}
.head{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:.25rem 1rem;margin-bottom:1rem}
svg{display:block;width:100%;height:auto}
.narrow{display:none}
.map{border:1px solid var(--line);border-radius:.5rem;background:var(--raised)}
.map path{fill:var(--line);stroke:var(--paper);stroke-width:.75;vector-effect:non-scaling-stroke}
.map .on{fill:var(--accent)}
.two{display:grid;grid-template-columns:1fr 1fr;gap:2rem;margin-top:1.5rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem;font-variant-numeric:tabular-nums}
th{font-weight:400;text-align:left;padding:.5rem 0}
td{text-align:right;padding:.5rem 0 .5rem 1rem;white-space:nowrap;vertical-align:top}
td+td{color:var(--soft);width:4rem}
tbody tr{border-top:1px solid var(--line)}
thead th{color:var(--soft);font-size:.8125rem;padding-top:0;white-space:nowrap}
thead th+th{text-align:right;padding-left:1rem}
.url{display:block;color:var(--soft);font-size:.8125rem}
.bar{height:4px;margin-top:.375rem}
.bar rect{fill:var(--line)}
.bar rect+rect{fill:var(--accent)}
.note{margin-top:.75rem;color:var(--soft);font-size:.875rem}
details{margin-top:.75rem}
summary{display:inline-block;color:var(--link);cursor:pointer;font-size:.875rem;padding:.25rem 0}
summary::before{content:"▸ "}
[open] summary::before{content:"▾ "}
details div{max-height:24rem;overflow:auto}
details table{margin-top:.5rem}
a{color:var(--link);text-underline-offset:.15em;font-size:.875rem}
footer{display:flex;gap:1rem;align-items:center;margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.8125rem}
footer a{color:inherit;font-size:inherit}
footer svg{flex:none;width:1.5rem;height:1.5rem}
.empty{margin-top:2.5rem;padding:2.5rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--raised);color:var(--soft);text-align:center}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:.25rem}
@media(max-width:40rem){main{padding-top:1.5rem}.two{grid-template-columns:1fr}.wide{display:none}.narrow{display:block}dl{gap:.5rem}section{margin-top:2rem}}
@media print{@page{margin:16mm}main{max-width:none;padding:0}details,.save{display:none}.wide{display:block}.narrow{display:none}.two{grid-template-columns:1fr 1fr}
section{margin-top:1.5rem}th,td{padding-top:.25rem;padding-bottom:.25rem}.map{max-height:70mm}footer{margin-top:1.5rem}.part,tr,.head{break-inside:avoid}h2,h3{break-after:avoid}body{font-size:11pt}dd{font-size:22pt}}`;

const layout = createPublicLayout(style);

const onPage: Palette = {
  ink: 'var(--ink)',
  soft: 'var(--soft)',
  line: 'var(--line)',
  accent: 'var(--accent)',
  paper: 'var(--paper)',
};

type Options = {
  /** Path of the picture of the chart, relative to that of the page. */
  readonly chartHref: string;
  /** What the licence of the place data asks for wherever places are shown. */
  readonly attribution: Attribution | null;
};

export function sharedPage(
  link: OpenLink,
  figures: PageFigures,
  { chartHref, attribution }: Options,
): PublicPage {
  const { totals, period } = figures;
  const heading = escapeHtml(chooseHeading(link));
  const card = (name: string, value: string) => `<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const places = link.sections.includes('map') && totals.scans > 0;
  const source =
    places && attribution
      ? ` <a href="${escapeHtml(attribution.url)}" rel="noreferrer">${escapeHtml(attribution.text)}</a>`
      : '';
  return layout.render({
    language: 'en',
    title: heading,
    main: `<header>
${isTest(link) ? `<p class="test">${words.test}</p>\n` : ''}<h1 dir="auto">${heading}</h1>
<p>${describe(link, figures)}</p>
</header>
<dl>
${card(words.scans, words.number(totals.scans))}
${card(words.visitors, words.number(totals.visitors))}
${card(words.average, words.number(dailyAverage(totals.scans, period.days)))}
</dl>
${totals.scans === 0 ? `<p class="empty">${words.noScans}</p>` : renderSections(link, figures, chartHref)}
<footer>${mark}<p>${escapeHtml(words.asOf(figures.madeAt, period.zone.name))}${places ? ` ${words.privacy}` : ''}${source}</p></footer>`,
  });
}

/** The chart as a file, with the heading of the page. */
export const sharedChart = (link: OpenLink, figures: PageFigures): string =>
  chartFile(toBars(figures), figures.interval, lightColours, {
    title: chooseHeading(link),
    text: `${words.chart.title[figures.interval]}, ${formatPeriod(figures)}`,
  });

const chooseHeading = (link: OpenLink) => link.title ?? link.name;

function formatPeriod({ period }: PageFigures): string {
  const { first, last } = presentDays(period);
  return words.period(first, last);
}

/** What is counted and when, in one line. */
function describe(link: OpenLink, figures: PageFigures): string {
  const { qrCodes } = figures;
  const what =
    qrCodes === null
      ? words.ofCode(link.title === null ? null : link.name)
      : link.tag
        ? words.ofTag(link.tag.name, qrCodes)
        : words.ofAccount(qrCodes);
  return `${escapeHtml(what)} · ${escapeHtml(formatPeriod(figures))}`;
}

function renderSections(link: OpenLink, figures: PageFigures, chartHref: string): string {
  const { codes, placements, targets, totals } = figures;
  const list = (title: string, rows: readonly Row[]) =>
    rows.length === 0
      ? ''
      : `<section><div class="head"><h2>${title}</h2></div>${renderRows(title, rows, totals.scans)}</section>`;
  const parts = {
    chart: () => renderChart(figures, chartHref),
    map: () => renderPlaces(figures),
    codes: () => list(words.codes, codes),
    placements: () =>
      list(
        words.placements,
        placements
          .filter(({ key, scans }) => key !== '' || scans > 0)
          .map(({ key, name, scans }) => ({
            name: key === '' ? words.noPlacement : name || words.formerPlacement,
            scans,
          }))
          .toSorted((a, b) => b.scans - a.scans),
      ),
    destinations: () =>
      list(
        words.destinations,
        targets.map(({ label, url, scans }) =>
          label === '' ? { name: shortUrl(url), scans } : { name: label, text: shortUrl(url), scans },
        ),
      ),
  } as const satisfies Record<(typeof link.sections)[number], () => string>;
  return (Object.keys(parts) as (keyof typeof parts)[])
    .filter(section => link.sections.includes(section))
    .map(section => parts[section]())
    .join('\n');
}

function renderChart(figures: PageFigures, chartHref: string): string {
  const { interval, entries } = figures;
  const bars = toBars(figures);
  const title = words.chart.title[interval];
  const rows = bars.map(
    ({ name, scans }, at) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td>${words.number(scans)}</td><td>${words.number(entries[at]!.visitors)}</td></tr>`,
  );
  const running = bars.some(({ isRunning }) => isRunning) ? `<p class="note">${words.chart.running}</p>` : '';
  return `<section class="part"><div class="head"><h2>${title}</h2><a class="save" href="${chartHref}" download>${words.chart.download}</a></div>
<div class="wide">${drawChart(bars, interval, onPage, { width: 950, height: 280 })}</div>
<div class="narrow">${drawChart(bars, interval, onPage, { width: 340, height: 230 })}</div>
${running}<details><summary>${words.chart.table}</summary><div tabindex="0" role="group" aria-label="${title}"><table><thead><tr><th scope="col">${words.chart.date[interval]}</th><th scope="col">${words.scans}</th><th scope="col">${words.visitors}</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></details></section>`;
}

function renderPlaces({
  countries,
  cities,
  otherCities,
  citiesSinceMs,
  period,
  totals,
}: PageFigures): string {
  const named: readonly Row[] = cities.map(({ city, country, scans }) => ({
    name: `${city}, ${words.country(country)}`,
    scans,
  }));
  const others =
    otherCities === null || named.length === 0 ? [] : [{ name: words.map.otherCities, scans: otherCities }];
  const since =
    citiesSinceMs === null
      ? ''
      : `<p class="note">${words.map.placesSince(words.day(presentDays({ ...period, startMs: citiesSinceMs }).first))}</p>`;
  return `<section><div class="head"><h2>${words.map.title}</h2></div>
<div class="part">${drawMap(countries)}</div>
<div class="two"><div class="part"><h3>${words.map.countries}</h3>${renderRows(
    words.map.countries,
    countries.map(({ country, scans }) => ({ name: words.country(country), scans })),
    totals.scans,
  )}</div>
<div class="part"><h3>${words.map.cities}</h3>${named.length === 0 ? `<p class="note">${words.map.noCity}</p>` : renderRows(words.map.cities, [...named, ...others], totals.scans)}${since}</div></div></section>`;
}

type Row = { readonly name: string; readonly text?: string; readonly scans: number };

/** The others are added up. */
const maxRows = 50;

function renderRows(title: string, all: readonly Row[], total: number): string {
  const sorted = all.length > maxRows ? all.toSorted((a, b) => b.scans - a.scans) : all;
  const rest = sorted.slice(maxRows);
  const rows: readonly Row[] = [
    ...sorted.slice(0, maxRows),
    ...(rest.length > 0
      ? [{ name: words.others(rest.length), scans: rest.reduce((sum, { scans }) => sum + scans, 0) }]
      : []),
  ];
  const most = Math.max(1, ...rows.map(({ scans }) => scans));
  const body = rows.map(({ name, text, scans }) => {
    const second = text === undefined ? '' : `<span class="url">${escapeHtml(text)}</span>`;
    const width = Math.round((1000 * scans) / most) / 10;
    return `<tr><th scope="row"><span dir="auto">${escapeHtml(name)}</span>${second}<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="1"/><rect width="${width}" height="1"/></svg></th><td>${words.number(scans)}</td><td>${words.share(total === 0 ? 0 : scans / total)}</td></tr>`;
  });
  return `<table aria-label="${title}"><thead><tr><th scope="col">${words.name}</th><th scope="col">${words.scans}</th><th scope="col">${words.shareColumn}</th></tr></thead><tbody>${body.join('')}</tbody></table>`;
}

/** Up to now: the future has no bars. */
function toBars({ entries, interval, period, madeAt }: PageFigures): readonly Bar[] {
  const { zone, endMs } = period;
  const findStart = (date: string) =>
    interval === 'hour' ? Date.parse(date) : zone.toStartMs(Date.parse(`${date}T00:00:00Z`) / dayMs);
  const past = entries.filter(({ date }) => findStart(date) <= madeAt.getTime());
  return past.map(({ date, scans }, at) => {
    const hour = new Date(findStart(date));
    return {
      scans,
      name:
        interval === 'hour'
          ? words.dayAndHour(hour, zone.name)
          : interval === 'month'
            ? words.month(date)
            : interval === 'week'
              ? words.weekOf(date)
              : words.day(date),
      label:
        interval === 'hour'
          ? words.hour(hour, zone.name)
          : interval === 'month'
            ? words.month(date)
            : words.dayAndMonth(date),
      isRunning: at === past.length - 1 && endMs > madeAt.getTime(),
    };
  });
}

const dayMs = 24 * 60 * 60 * 1000;

/** Host and path: a query may hold what is nobody else's business. */
function shortUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return host + (pathname === '/' ? '' : pathname);
}

export type Refusal = 'gone' | 'busy' | 'limited' | 'notRetained';

const refusals: Readonly<Record<Refusal, PublicPage>> = {
  gone: messagePage('gone'),
  busy: messagePage('busy'),
  limited: messagePage('limited'),
  notRetained: messagePage('notRetained'),
};

export const refusalPage = (refusal: Refusal): PublicPage => refusals[refusal];

function messagePage(refusal: Refusal): PublicPage {
  const { title, text } = words[refusal];
  return publicPage({ language: 'en', title, layout: 'message', main: `<h1>${title}</h1>\n<p>${text}</p>` });
}

/** Of the file of the chart. */
export const chartHeaders = ({ period }: PageFigures) => {
  const { first, last } = presentDays(period);
  return {
    ...layout.headers,
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-disposition': `attachment; filename="scans-${first}-to-${last}.svg"`,
  };
};
