import { rulesText } from '../../strings/rules.ts';
import { destinationFault } from '../codes/destination.ts';
import type { RuleDraft } from './draft.ts';

const { faults } = rulesText;

/** What the server says about a rule, for people who do not know how the API calls its parts. */
export function ruleFault({
  param = '',
  message,
}: {
  readonly param?: string;
  readonly message: string;
}): string {
  if (/\.date\.until$/.test(param)) return faults.until;
  if (/\.windows\.\d+\.from$/.test(param)) return faults.window;
  const target = /\.to\.(\d+)\.url$/.exec(param);
  const plain = message.replaceAll(/\brules(\.\w+)+\s?/g, '').trim();
  const sentence = `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
  if (!target) return sentence;
  return faults.target(Number(target[1]) + 1, /must be/.test(message) ? faults.address : sentence);
}

/** Lists without values would be refused: such a condition is not finished. */
export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

export const isUnfinished = ({ when, to }: Pick<RuleDraft, 'when' | 'to'>): boolean =>
  Object.values(when).some(isEmptyList) || to.some(({ url }) => destinationFault(url) !== null);
