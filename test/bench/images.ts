import { QRCodeStyling } from '@liquid-js/qr-code-styling';
import { Resvg } from '@resvg/resvg-js';
import { renderPng } from '../../packages/qr/src/node.ts';
import { cornersSquareTypes, dotsTypes, type Style } from '../../packages/qr/src/style.ts';
import { renderSvg } from '../../packages/qr/src/svg.ts';

/** What the images promise, each against the program that would be used in our place. */
const targets = { svgRatio: 15, png2048Ratio: 3, png512Ratio: 2, longestGapMs: 60 } as const;

const link = 'https://qr.example.org/k7m2q9xwz';

/** Every type of dots and corners, in three colours, which is the dearest case. */
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

/** Measures SVG, PNG and the pauses of the event loop in one run, so that all share the machine's mood. */
export default async function bench(args: readonly string[]): Promise<void> {
  const rounds = Number(args[0] ?? 7);
  const [ownSvg, theirSvg] = await race(4 * rounds, style => renderSvg(link, style, 512), drawWithLiquid);
  report('SVG at 512 px', ownSvg, '@liquid-js/qr-code-styling', theirSvg);
  const [own512, their512] = await race(rounds, style => renderPng(link, style, 512), resvgAt(512));
  report('PNG at 512 px', own512, 'resvg', their512);
  const [own2048, their2048] = await race(rounds, style => renderPng(link, style, 2048), resvgAt(2048));
  report('PNG at 2048 px', own2048, 'resvg', their2048);
  const gaps: number[] = [];
  for (let round = 0; round < rounds; round++) gaps.push(await longestGapDuring(() => eightAtOnce(2048)));
  console.log(
    `longest gap of each of ${rounds} times eight: ${gaps.map(gap => gap.toFixed(0)).join(', ')} ms`,
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
 * Median milliseconds a picture of two ways to draw the same styles. They take turns, all styles at a time: often
 * enough that whatever else the machine does falls on both, seldom enough that neither pays for the rubbish that
 * the other leaves in the caches and the heap. The first rounds, while V8 still compiles, do not count.
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
  // Its word for separate dots is the singular; the plural would silently give squares.
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

/** resvg starts from our SVG, made beforehand: only its own work is timed. */
function resvgAt(sizePx: number): Draw {
  const svgs = new Map(styles.map(style => [style, renderSvg(link, style, sizePx)]));
  return style => new Resvg(svgs.get(style)!, { font: { loadSystemFonts: false } }).render().asPng();
}

/** Eight pictures asked for at once, drawn as the service draws them: one at a time above 1024 px, else two. */
async function eightAtOnce(sizePx: number): Promise<void> {
  const limited = createLimiter(sizePx > 1024 ? 1 : 2);
  const wanted = Array.from({ length: 8 }, (_, at) => styles[(at * 5) % styles.length]!);
  await Promise.all(wanted.map(style => limited(() => renderPng(link, style, sizePx))));
}

function createLimiter(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async work => {
    if (running >= most) await new Promise<void>(resolve => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The place passes straight to whoever waits longest, so that nobody can slip in between.
      if (next) next();
      else running--;
    }
  };
}

/** The longest time by which a timer, like a request that comes in, had to wait for its turn. */
async function longestGapDuring(work: () => Promise<void>): Promise<number> {
  const everyMs = 1;
  let longest = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - everyMs);
    last = now;
  }, everyMs);
  await work();
  clearInterval(watch);
  return longest;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function report(what: string, ours: number, name: string, theirs: number): void {
  console.log(`${what}: ${ours.toFixed(2)} ms, ${name} ${theirs.toFixed(2)} ms`);
}
