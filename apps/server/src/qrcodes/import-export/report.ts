import type { ImportedLink } from './imported-link.ts';
import type { ImportPlan } from './plan.ts';

export type ImportFailure = { readonly link: ImportedLink; readonly reason: string };

/** What an import did or would do, as text: every skipped link is listed with its reason. */
export function importReport(
  { create, skip }: ImportPlan,
  failed: readonly ImportFailure[],
  dryRun: boolean,
): readonly string[] {
  const created = create.length - failed.length;
  const partial = create.filter(link => link.notes.length > 0);
  const line = ({ row, shortCode }: ImportedLink, text: string) =>
    `  row ${row}  ${shortCode || '(none)'}: ${text}`;
  return [
    dryRun ? `${created} codes would be created; nothing was changed.` : `${created} codes were created.`,
    ...section(
      'skipped',
      skip.map(({ link, reason }) => line(link, reason)),
    ),
    ...section(
      'refused by the service',
      failed.map(({ link, reason }) => line(link, reason)),
    ),
    ...section(
      'created, but without some features',
      partial.map(link => line(link, link.notes.join('; '))),
    ),
    ...(dryRun
      ? ['A short code that another account has, or had, is only found when the code is created.']
      : ['Now point the host of the old links at this service: printed codes keep working from then on.']),
  ];
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`${lines.length} ${title}:`, ...lines];
