import type { SetupFinding } from '@signpost/contract';
import { operatorText } from '../../strings/operator.ts';

const text = operatorText.setup;
const order: readonly SetupFinding['state'][] = ['problem', 'warning', 'ok'];

/** What needs somebody comes first. */
export const bySeverity = (findings: readonly SetupFinding[]): readonly SetupFinding[] =>
  findings.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));

export function summaryOf(findings: readonly Pick<SetupFinding, 'state'>[]): string {
  const count = (state: SetupFinding['state']) => findings.filter(one => one.state === state).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  const parts = [
    ...(problems > 0 ? [text.problems(problems)] : []),
    ...(warnings > 0 ? [text.warnings(warnings)] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : text.allWell;
}

/** The doctor writes lines of a table; on a page they are sentences. Names of settings and files stay as they are. */
export function sentenceOf(found: string): string {
  const sentence = /^[a-z]+(-[a-z]+)*[\s,:]/.test(found)
    ? found.charAt(0).toUpperCase() + found.slice(1)
    : found;
  return /[.!?:]$/.test(sentence) ? sentence : `${sentence}.`;
}

type Part = { readonly text: string; readonly isCode: boolean };

/** What stands between backticks is a command. */
export const partsOf = (text: string): readonly Part[] =>
  text
    .split('`')
    .map((part, at) => ({ text: part, isCode: at % 2 === 1 }))
    .filter(part => part.text !== '');
