/** The part of Stryker's JSON report that the score needs. */
export type Report = {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
};

export const aim = 80;

const found = ['Killed', 'Timeout'];
const missed = ['Survived', 'NoCoverage'];

/**
 * The percentage of mutants that the tests detect, rounded down. Mutants that could not run, and those that a comment
 * excludes, do not count. Without any mutants it is 0: such a run proves nothing.
 */
export function scoreOf({ files }: Report): number {
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const [good, bad] = [found, missed].map(kind => statuses.filter(status => kind.includes(status)).length);
  return good ? Math.floor((100 * good) / (good + bad!)) : 0;
}

export type Scores = Readonly<Record<string, number>>;

export const leastOf = (scores: Scores): number => Math.min(...Object.values(scores));

/** `mutants signing 92 guard 88 least 88 aim 80` */
export const lineOf = (scores: Scores): string =>
  ['mutants', ...Object.entries(scores).flat(), 'least', leastOf(scores), 'aim', aim].join(' ');
