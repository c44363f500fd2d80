import { QRCodeStyling } from '@liquid-js/qr-code-styling';
import { Resvg } from '@resvg/resvg-js';
import { cornersSquareTypes, dotsTypes, renderSvg, type Style } from '@signpost/qr';
import { renderPng } from '@signpost/qr/node';
import { ask } from '@signpost/testing/client.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { median } from './median.ts';

/** The targets for images, each relative to the library that would be used instead. */
const targets = { svgRatio: 15, png2048Ratio: 3, png512Ratio: 2, longestGapMs: 60 } as const;

const link = 'https://qr.example.org/k7m2q9xwz';

/** Every type of dots and corners, in three colours, the most expensive case. */
const styles: readonly Required<Style>[] = dotsTypes.flatMap(dotsType =>
  cornersSquareTypes.map(cornersSquareType => ({
    dotsType,
    cornersSquareType,
    cornersDotType: cornersSquareType === 'dot' ? 'dot' : 'square',
    dotsColor: '#1A3A8A',
    cornersSquareColor: '#B01010',
    cornersDotColor: '#106010',
    backgroundColor: '#FFFFFF',
  })),
);

/** Measures SVG, PNG and the pauses of the event loop in one run, so that all share the same conditions. */
export default async function bench(args: readonly string[]): Promise<void> {
  const rounds = Number(args[0] ?? 7);
  const [ownSvg, theirSvg] = await race(4 * rounds, style => renderSvg(link, style, 512), drawWithLiquid);
  report('SVG at 512 px', ownSvg, '@liquid-js/qr-code-styling', theirSvg);
  const [own512, their512] = await race(rounds, style => renderPng(link, style, 512), resvgAt(512));
  report('PNG at 512 px', own512, 'resvg', their512);
  const [own2048, their2048] = await race(rounds, style => renderPng(link, style, 2048), resvgAt(2048));
  report('PNG at 2048 px', own2048, 'resvg', their2048);
  const gaps = await longestPauses(rounds);
  console.log(
    `longest pause in each of ${rounds} times eight downloads: ${gaps.map(gap => gap.toFixed(0)).join(', ')} ms`,
  );
  const longestGapMs = median(gaps);

  const [svg, png2048, png512] = [theirSvg / ownSvg, their2048 / own2048, their512 / own512];
  console.log(
    `images svg_ratio ${svg.toFixed(1)} png2048_ratio ${png2048.toFixed(1)} png512_ratio ${png512.toFixed(1)}` +
      ` longest_gap_ms ${longestGapMs.toFixed(0)}`,
  );
  const kept =
    svg >= targets.svgRatio &&
    png2048 >= targets.png2048Ratio &&
    png512 >= targets.png512Ratio &&
    longestGapMs <= targets.longestGapMs;
  if (!kept) process.exitCode = 1;
}

const warmUp = 3;

type Draw = (style: Required<Style>) => unknown;

/**
 * Median milliseconds per image of two renderers for the same styles. They alternate, all styles at a time: often enough
 * that other load affects both, rarely enough that neither pays for what the other leaves in the caches and the heap. The
 * first rounds, while V8 still compiles, do not count.
 */
async function race(rounds: number, ours: Draw, theirs: Draw): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -warmUp; round < rounds; round++) {
    for (const [at, draw] of [ours, theirs].entries()) {
      for (const style of styles) {
        const start = performance.now();
        await draw(style);
        if (round >= 0) times[at]!.push(performance.now() - start);
      }
    }
  }
  return [median(times[0]), median(times[1])];
}

async function drawWithLiquid(style: Required<Style>): Promise<string> {
  // Its type for separate dots is singular; the plural would silently draw squares.
  const type = style.dotsType === 'dots' ? 'dot' : style.dotsType;
  const code = new QRCodeStyling({
    data: link,
    qrOptions: { errorCorrectionLevel: 'Q' },
    dotsOptions: { type, color: style.dotsColor, size: 13 },
    cornersSquareOptions: { type: style.cornersSquareType, color: style.cornersSquareColor },
    cornersDotOptions: { type: style.cornersDotType, color: style.cornersDotColor },
    backgroundOptions: { color: style.backgroundColor, margin: 4 },
  } as ConstructorParameters<typeof QRCodeStyling>[0]);
  const svg = await code.serialize();
  if (!svg?.includes('<svg')) throw new Error('@liquid-js/qr-code-styling drew nothing');
  return svg;
}

/** resvg renders our SVG, which is generated beforehand: only its own work is timed. */
function resvgAt(sizePx: number): Draw {
  const svgs = new Map(styles.map(style => [style, renderSvg(link, style, sizePx)]));
  return style => new Resvg(svgs.get(style)!, { font: { loadSystemFonts: false } }).render().asPng();
}

/**
 * The longest wait of a small request while eight images are downloaded from the same server, over several rounds. Each
 * round uses other sizes, because rendered images are cached.
 */
async function longestPauses(rounds: number): Promise<number[]> {
  const fixture = await createFixture();
  const server = await fixture.server();
  const { live: key } = await fixture.account();
  const items = styles
    .slice(0, 8)
    .map(style => ({ name: 'x', destination_url: 'https://example.com', style }));
  const made = await ask({ method: 'POST', url: `${server.url}/v1/qrcodes/bulk`, key, body: { items } });
  const ids: string[] = made.body.data.map((entry: { qr_code: { id: string } }) => entry.qr_code.id);
  const pauses: number[] = [];
  for (let round = -1; round < rounds; round++) {
    let downloading = true;
    const downloads = Promise.all(
      ids.map(id =>
        ask({ url: `${server.url}/v1/qrcodes/${id}/download?size=${2048 - rounds + round}`, key }),
      ),
    ).finally(() => {
      downloading = false;
    });
    let longest = 0;
    while (downloading) longest = Math.max(longest, (await ask({ url: `${server.url}/healthz` })).ms);
    const answers = await downloads;
    if (answers.some(answer => answer.status !== 200)) throw new Error('a download failed');
    if (round >= 0) pauses.push(longest);
  }
  await fixture.close();
  return pauses;
}
function report(what: string, ours: number, name: string, theirs: number): void {
  console.log(`${what}: ${ours.toFixed(2)} ms, ${name} ${theirs.toFixed(2)} ms`);
}
