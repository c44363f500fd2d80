import { Alert } from '@mantine/core';
import { analyticsText } from '../../strings/analytics.ts';
import type { Report } from './queries.ts';
import { scanCount } from './scan-count.ts';

const text = analyticsText.notRedirected;

/** How many people scanned a code while it was paused, for instance. */
export function NotRedirected({ counts }: { readonly counts: Report['notRedirected'] }) {
  const reasons = Object.entries(counts).filter(([, requests]) => requests > 0);
  if (reasons.length === 0) return null;
  const listed = reasons.map(([reason, requests]) => `${scanCount(requests)} ${whileOf(reason)}`);
  return (
    <Alert color="yellow" variant="light" p="sm">
      {text.sentence(new Intl.ListFormat('en').format(listed))}
    </Alert>
  );
}

const whileOf = (reason: string): string => text.while[reason as keyof typeof text.while] ?? text.otherwise;
