import type { Finding } from './finding.ts';

const stateLabels = { ok: 'ok', warning: 'warning', problem: 'PROBLEM' } as const;

/** One line per finding, and below it what to do next. */
export function formatReport(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat(9 + width + 2);
  const lines = findings.flatMap(finding => [
    `${stateLabels[finding.state].padEnd(9)}${finding.check.padEnd(width)}  ${finding.found.replaceAll('\n', `\n${indent}`)}`,
    ...('next' in finding ? [`${indent}→ ${finding.next}`] : []),
  ]);
  const count = (state: Finding['state']) => {
    const { length } = findings.filter(finding => finding.state === state);
    return `${length} ${state}${length === 1 ? '' : 's'}`;
  };
  return [...lines, '', `${count('problem')}, ${count('warning')}`].join('\n');
}
