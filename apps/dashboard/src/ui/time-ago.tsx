import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { formatAgo, formatDateTime } from './format.ts';

/** How long ago, kept true while it is looked at; the exact time on hovering. */
export function TimeAgo({ value }: { readonly value: string }) {
  const [now, setNow] = useState(() => new Date());
  useInterval(() => setNow(new Date()), 30_000, { autoInvoke: true });
  return (
    <time dateTime={value} title={formatDateTime(value)}>
      {formatAgo(value, now)}
    </time>
  );
}
