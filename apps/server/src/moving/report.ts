import type { ImportedLink } from './imported-link.ts';
import type { Plan } from './plan.ts';

export type Failure = { readonly link: ImportedLink; readonly why: string };

/** What an import did or would do, for people: every link that was left out is named with its reason. */
export function importReport(
  { make, leave }: Plan,
  failed: readonly Failure[],
  dryRun: boolean,
): readonly string[] {
  const made = make.length - failed.length;
  const noted = make.filter(link => link.notes.length > 0);
  const line = ({ row, shortCode }: ImportedLink, text: string) =>
    `  row ${row}  ${shortCode || '(none)'}: ${text}`;
  return [
    dryRun ? `${made} codes would be made; nothing was.` : `${made} codes were made.`,
    ...section(
      'left out',
      leave.map(({ link, why }) => line(link, why)),
    ),
    ...section(
      'refused by the service',
      failed.map(({ link, why }) => line(link, why)),
    ),
    ...section(
      'made, but not all of it comes along',
      noted.map(link => line(link, link.notes.join('; '))),
    ),
    ...(dryRun
      ? ['Short codes that another account has, or had, show only when they are made.']
      : ['Now point the host of the old links at this service: printed codes go on from then.']),
  ];
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`${lines.length} ${title}:`, ...lines];
