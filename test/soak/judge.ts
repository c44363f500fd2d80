import { median } from '../bench/median.ts';

/** What one process holds at one moment. */
export type Sample = {
  readonly process: string;
  readonly rssMb: number;
  readonly heapMb: number;
  /** Not judged: they tell of what memory the growth is. What V8 has taken for its heap, used or not; and what lies outside of it. */
  readonly committedMb: number;
  readonly externalMb: number;
  readonly fds: number;
  readonly handles: number;
};

/** What the whole run has to show, besides its samples. */
export type Account = {
  readonly seconds: number;
  readonly requests: number;
  /** As many as its pace makes in the time, were nothing slow. */
  readonly requestsMeant: number;
  readonly errors: number;
  /** Scans that were answered with a redirect and counted nowhere, or counted more than once. */
  readonly lost: number;
  readonly doubled: number;
  readonly webhooksMissing: number;
  readonly liveMissing: number;
};

export type Growth = { readonly process: string } & Readonly<Record<Kind, number>>;

export type Verdict = {
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
 * What may differ between the second third and the last. Memory: garbage is collected all the time (collect.ts), so that what
 * is left is held; the codes that the load makes and deletes stay known to the redirect, a few megabytes in half an hour. A
 * kilobyte kept for each request would be tens in ten minutes. Files and handles: pools of connections breathe by a few; one
 * kept for each visit of the live stream would be dozens. A short run has hardly warmed up, its thirds are a few looks each,
 * and it shows only what is gross.
 */
export function allowanceOf(seconds: number): Readonly<Record<Kind, number>> {
  const [memoryMb, few] = isShort(seconds) ? [96, 20] : [20, 6];
  return { rssMb: memoryMb, heapMb: memoryMb, fds: few, handles: few };
}

const isShort = (seconds: number) => seconds < 15 * 60;

/** A run that got through less than this part of what was meant has not been under the load that it claims. */
const leastDoneOf = (seconds: number) => (isShort(seconds) ? 0.5 : 0.9);

export function judge(samples: readonly Sample[], account: Account): Verdict {
  const growths = growthsOf(samples);
  const allowance = allowanceOf(account.seconds);
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
    account.errors !== 0 ? `${account.errors} errors` : '',
    account.lost !== 0 ? `${account.lost} accepted scans are not counted` : '',
    account.doubled !== 0 ? `${account.doubled} scans are counted that were not accepted` : '',
    account.webhooksMissing !== 0 ? `${account.webhooksMissing} webhooks have not arrived` : '',
    account.liveMissing !== 0 ? `${account.liveMissing} scans were not shown live` : '',
    account.requests < account.requestsMeant * leastDoneOf(account.seconds)
      ? `${account.requests} requests of the ${account.requestsMeant} that were meant: the load was not what it claims`
      : '',
  ].filter(fault => fault !== '');
  return { growths, worst, faults };
}

/** The last third against the second: memory by its troughs, the rest by its median. The first third is for warming up. */
export function growthsOf(samples: readonly Sample[]): Growth[] {
  return [...Map.groupBy(samples, sample => sample.process)].map(([process, own]) => {
    const third = Math.floor(own.length / 3);
    if (third === 0) throw new Error(`${process} was looked at ${own.length} times: that tells no growth`);
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

/** What a tenth of the values stay below: one odd moment does not make a trough. */
function trough(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)]!;
}
