import { Alert, List, Text } from '@mantine/core';
import { analyticsText } from '../../strings/analytics.ts';
import { formatNumber } from '../../ui/format.ts';
import type { Report } from './queries.ts';

const text = analyticsText.notRedirected;

/** How often people scanned a code while it was paused, for instance. The numbers know no filters. */
export function NotRedirected({ counts }: { readonly counts: Report['notRedirected'] }) {
  const reasons = Object.entries(counts)
    .filter(([, requests]) => requests > 0)
    .sort(([, a], [, b]) => b - a);
  const [first] = reasons;
  if (!first) return null;
  return (
    <Alert variant="light" p="sm">
      {reasons.length === 1 ? (
        text.sentence(timesAndWhen(first), first[1] === 1)
      ) : (
        <>
          <Text size="sm">{text.several}</Text>
          <List size="sm">
            {reasons.map(entry => (
              <List.Item key={entry[0]}>{timesAndWhen(entry)}</List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}

const timesAndWhen = ([reason, requests]: readonly [reason: string, requests: number]): string =>
  `${text.times(formatNumber(requests), requests === 1)} ${
    text.while[reason as keyof typeof text.while] ?? text.otherwise
  }`;
