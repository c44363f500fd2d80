import { Alert, List, Text } from '@mantine/core';
import { analyticsText } from '../../strings/analytics.ts';
import type { Report } from './queries.ts';

const text = analyticsText.notRedirected;

/** How often people scanned a code while it was paused, for instance. The numbers know no filters. */
export function NotRedirected({ counts }: { readonly counts: Report['notRedirected'] }) {
  const reasons = Object.entries(counts)
    .filter(([, requests]) => requests > 0)
    .sort(([, a], [, b]) => b - a);
  if (reasons.length === 0) return null;
  return (
    <Alert variant="light" p="sm">
      <Text size="sm">{text.title}</Text>
      <List size="sm">
        {reasons.map(([reason, requests]) => (
          <List.Item key={reason}>{wordsFor(reason)(requests)}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

const { title: _, otherwise, ...known } = text;
const wordsFor = (reason: string) => known[reason as keyof typeof known] ?? otherwise;
