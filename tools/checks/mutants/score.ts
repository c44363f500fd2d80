/** The part of Stryker's JSON report that the score needs. */
export type Report = {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
};

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

/** The score of a group, and the score that it must have. */
export type Score = { readonly group: string; readonly score: number; readonly aim: number };

export const isReached = ({ score, aim }: Score): boolean => score >= aim;

/** `mutants signing 92 (aim 80) rules 91 (aim 90)` */
export const lineOf = (scores: readonly Score[]): string =>
  ['mutants', ...scores.map(({ group, score, aim }) => `${group} ${score} (aim ${aim})`)].join(' ');
