import type { BrowseItem } from '@signpost/contract';
import { codesText } from '../../strings/codes.ts';
import { formatDate } from '../../ui/format.ts';

type Facts = Pick<BrowseItem, 'status' | 'created_at' | 'total_scans' | 'sparkline'>;
export type Health = {
  readonly word: 'new' | 'unscanned' | 'declining' | 'dormant';
  readonly reason: string;
};

const dayMs = 86_400_000;
const weekDays = 7;
/** Fewer scans than these a week go up and down by chance. */
const enoughToDecline = 10;

const { reasons } = codesText.health;

/** What an owner should know of a code at a glance; null where all is well, and for codes that are off. */
export function healthOf(
  { status, created_at, total_scans, sparkline }: Facts,
  now = new Date(),
): Health | null {
  if (status !== 'active') return null;
  const ageDays = (now.getTime() - new Date(created_at).getTime()) / dayMs;
  if (ageDays < weekDays) return { word: 'new', reason: reasons.new };
  if (total_scans === 0) return { word: 'unscanned', reason: reasons.unscanned(formatDate(created_at)) };
  if (sparkline === null || ageDays < 2 * weekDays) return null;
  const sum = (days: readonly number[]) => days.reduce((total, day) => total + day, 0);
  const [before, lately] = [sum(sparkline.slice(0, -weekDays)), sum(sparkline.slice(-weekDays))];
  if (before + lately === 0) return { word: 'dormant', reason: reasons.dormant };
  // Today is not over, so a little less is no decline.
  if (before >= enoughToDecline && lately < before / 2)
    return { word: 'declining', reason: reasons.declining(lately, before) };
  return null;
}
