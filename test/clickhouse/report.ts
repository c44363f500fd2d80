import type { Facts } from './server.ts';
import type { StepResult } from './steps.ts';

/** Markdown to paste into an issue. */
export function formatReport(facts: Facts, results: readonly StepResult[]): string {
  const count = (outcome: StepResult['outcome']) =>
    results.filter(result => result.outcome === outcome).length;
  const rows = results.map(
    ({ name, outcome, seconds, seen }) =>
      `| ${toCell(name)} | ${outcome} | ${seconds.toFixed(1)} s | ${seen.map(toCell).join('<br>')} |`,
  );
  return [
    '### check:clickhouse',
    '',
    `${count('passed')} passed, ${count('failed')} failed, ${count('not tried')} not tried.`,
    '',
    ...Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`),
    '',
    '| Check | Result | Time | Seen |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** In a cell of a table. */
const toCell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
    .slice(0, 600);
