import { median } from '../../bench/median.ts';

/** The resources of one process at one moment. */
export type Sample = {
  readonly process: string;
  readonly rssMb: number;
  readonly heapMb: number;
  /** Not assessed: they show where memory grew. Memory that V8 reserved for its heap, and memory outside of it. */
  readonly committedMb: number;
  readonly externalMb: number;
  readonly fds: number;
  readonly handles: number;
};

/** The results of the whole run besides its samples. */
export type RunTotals = {
  readonly seconds: number;
  readonly requests: number;
  /** The rate times the duration. */
  readonly requestsPlanned: number;
  readonly errors: number;
  /** Scans that were answered with a redirect and counted nowhere, or counted more than once. */
  readonly lost: number;
  readonly doubled: number;
  readonly webhooksMissing: number;
  readonly liveMissing: number;
};

export type Growth = { readonly process: string } & Readonly<Record<Kind, number>>;

export type Assessment = {
  readonly growths: readonly Growth[];
  /** The worst process of each kind. */
  readonly worst: Readonly<Record<Kind, number>>;
  readonly faults: readonly string[];
};

type Kind = 'rssMb' | 'heapMb' | 'fds' | 'handles';
const kinds: readonly Kind[] = ['rssMb', 'heapMb', 'fds', 'handles'];
const names: Readonly<Record<Kind, string>> = {
  rssMb: 'MB of memory',
  heapMb: 'MB of heap',
  fds: 'open files',
  handles: 'handles',
};

/**
 * The growth that is allowed between the second third of the run and the last. Memory: garbage is collected all the time
 * (collect-garbage.ts), so what remains is held. The redirect remembers codes that the load creates and deletes, a few
 * megabytes in half an hour; a kilobyte leaked per request would be tens of megabytes in ten minutes. Files and handles:
 * connection pools vary by a few; one leaked per visit of the live stream would be dozens. A short run has hardly warmed up,
 * its thirds are a few samples each, and it shows only gross leaks.
 */
export function allowanceOf(seconds: number): Readonly<Record<Kind, number>> {
  const [memoryMb, few] = isShort(seconds) ? [96, 20] : [20, 6];
  return { rssMb: memoryMb, heapMb: memoryMb, fds: few, handles: few };
}

const isShort = (seconds: number) => seconds < 15 * 60;

/** A run that sent less than this share of the planned requests was not under the load that it claims. */
const minShareOf = (seconds: number) => (isShort(seconds) ? 0.5 : 0.9);

export function assess(samples: readonly Sample[], totals: RunTotals): Assessment {
  const growths = growthsOf(samples);
  const allowance = allowanceOf(totals.seconds);
  const worst = Object.fromEntries(
    kinds.map(kind => [kind, Math.max(...growths.map(growth => growth[kind]))]),
  ) as Record<Kind, number>;
  const faults = [
    ...growths.flatMap(growth =>
      kinds
        .filter(kind => !(growth[kind] <= allowance[kind]))
        .map(
          kind =>
            `${growth.process} grew by ${growth[kind]} ${names[kind]}, at most ${allowance[kind]} are allowed`,
        ),
    ),
    totals.errors !== 0 ? `${totals.errors} errors` : '',
    totals.lost !== 0 ? `${totals.lost} accepted scans are not counted` : '',
    totals.doubled !== 0 ? `${totals.doubled} scans are counted that were not accepted` : '',
    totals.webhooksMissing !== 0 ? `${totals.webhooksMissing} webhooks have not arrived` : '',
    totals.liveMissing !== 0 ? `${totals.liveMissing} scans were not shown live` : '',
    totals.requests < totals.requestsPlanned * minShareOf(totals.seconds)
      ? `${totals.requests} requests of ${totals.requestsPlanned} planned: the load was lower than it claims`
      : '',
  ].filter(fault => fault !== '');
  return { growths, worst, faults };
}

/** The last third against the second: memory by its troughs, the rest by its median. The first third is warm-up. */
export function growthsOf(samples: readonly Sample[]): Growth[] {
  return [...Map.groupBy(samples, sample => sample.process)].map(([process, own]) => {
    const third = Math.floor(own.length / 3);
    if (third === 0) throw new Error(`${process} has ${own.length} samples, which is too few to show growth`);
    const [second, last] = [own.slice(third, 2 * third), own.slice(2 * third)];
    const growth = (kind: Kind, level: (values: readonly number[]) => number) =>
      Math.round(level(last.map(sample => sample[kind])) - level(second.map(sample => sample[kind])));
    return {
      process,
      rssMb: growth('rssMb', trough),
      heapMb: growth('heapMb', trough),
      fds: growth('fds', median),
      handles: growth('handles', median),
    };
  });
}

/** The 10th percentile: a single outlier does not make a trough. */
function trough(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)]!;
}
