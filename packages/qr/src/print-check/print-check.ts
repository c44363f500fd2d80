import { blocksOf, correctableIn, type QrSymbol, rolesOf } from '../error-correction.ts';
import { type Hole, modulesIn } from '../logo.ts';
import type { Matrix } from '../matrix.ts';
import { align } from './align.ts';
import type { Expected } from './expected.ts';
import { type Corners, type Photo, project } from './photo.ts';
import { type Edges, measureEdges, measureQuietZone, type Samples, sampleModules } from './sampling.ts';

type PrintVerdict = 'good' | 'at-risk' | 'reprint';

/** Why a print is not as good as it could be. */
type PrintReason = 'damage' | 'faint' | 'ink-spread' | 'quiet-zone';

export type PrintCheck = {
  readonly verdict: PrintVerdict;
  readonly reasons: readonly PrintReason[];
  /** Wrong codewords of each block. Those that a logo covers count neither as wrong nor as correctable. */
  readonly blocks: readonly BlockUse[];
  /** The share of the correction that is used in the worst block; more than 1 is more than can be corrected. */
  readonly used: number;
  /** Places of the modules that are not as they should be, row by row. */
  readonly wrongModules: readonly number[];
  readonly size: number;
  /** The difference between light and dark modules, from 0 to 1. */
  readonly contrast: number;
  /** How far ink reaches over the edges of modules, in modules; negative where it does not reach them. */
  readonly inkSpread: number;
  /** Modules that are free around the code on its worst side, up to the four that the standard asks for. */
  readonly quietZone: number;
  /** Where the code lies in the photograph. */
  readonly corners: Corners;
};

type BlockUse = { readonly wrong: number; readonly correctable: number };

/** Of the correction in the worst block. */
const usedUpTo = { good: 0.3, atRisk: 0.7 } as const;
/** Below these a print scans, but not for everybody: at risk, however little is wrong. */
export const least = { contrast: 0.3, quietZone: 2 } as const;
export const mostInkSpread = 0.2;

/** Compares a photograph of a print with the code that should be on it. */
export function checkPrint(photo: Photo, found: Corners, expected: Expected): PrintCheck {
  const { matrix, symbol, hole } = expected;
  const corners = align(photo, found, matrix);
  const place = project(corners);
  const samples = sampleModules(photo, place, matrix);
  const covered = new Set(hole ? modulesIn(hole, matrix.size) : []);
  const wrongModules = findWrong(samples, matrix).filter(at => !covered.has(at));
  const blocks = countBlocks(wrongModules, symbol, hole, matrix.size);
  const used = Math.max(0, ...blocks.map(({ wrong, correctable }) => wrong / correctable));
  const edges = measureEdges(photo, place, matrix, covered);
  const quietZone = measureQuietZone(photo, place, matrix, samples);
  const findings = { used, contrast: samples.contrast, inkSpread: spread(edges), quietZone };
  return { ...findings, ...judge(findings), blocks, wrongModules, size: matrix.size, corners };
}

const spread = ({ offset }: Edges) => offset;

type Findings = Pick<PrintCheck, 'used' | 'contrast' | 'inkSpread' | 'quietZone'>;

/** The verdict by the correction that is used, and what else speaks against a print. */
export function judge(findings: Findings): Pick<PrintCheck, 'verdict' | 'reasons'> {
  const { used, contrast, inkSpread, quietZone } = findings;
  const reasons: PrintReason[] = [];
  if (used > usedUpTo.good) reasons.push('damage');
  if (contrast < least.contrast) reasons.push('faint');
  if (inkSpread > mostInkSpread) reasons.push('ink-spread');
  if (quietZone < least.quietZone) reasons.push('quiet-zone');
  if (used > usedUpTo.atRisk) return { verdict: 'reprint', reasons };
  return { verdict: reasons.length > 0 ? 'at-risk' : 'good', reasons };
}

function findWrong({ values, thresholds }: Samples, { modules }: Matrix): number[] {
  return [...modules.keys()].filter(at => values[at]! < thresholds[at]! !== (modules[at] === 1));
}

function countBlocks(
  wrongModules: readonly number[],
  symbol: QrSymbol,
  hole: Hole | null,
  size: number,
): BlockUse[] {
  const roles = rolesOf(symbol.version);
  const blocks = blocksOf(symbol);
  const correctable = correctableIn(symbol);
  const codewordsAt = (places: readonly number[]) =>
    new Set(places.flatMap(at => (roles[at] === 'pattern' ? [] : [roles[at] as number])));
  const spared = codewordsAt(hole ? modulesIn(hole, size) : []);
  const wrong = codewordsAt(wrongModules);
  const uses = Array.from({ length: Math.max(...blocks) + 1 }, () => ({ wrong: 0, correctable }));
  // A codeword is wrong with any one of its modules. The last few modules of some versions carry none.
  for (const [codeword, block] of blocks.entries()) {
    if (spared.has(codeword)) uses[block]!.correctable--;
    else if (wrong.has(codeword)) uses[block]!.wrong++;
  }
  return uses;
}
