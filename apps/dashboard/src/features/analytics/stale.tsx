import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { analyticsText as text } from '../../strings/analytics.ts';
import { periodName } from './period-name.ts';
import type { Period } from './periods.ts';

type Props = { readonly isStale: boolean; readonly loading: Period; readonly children: ReactNode };

/** What is of another period or filter stands dimmed under a label, and takes no clicks, until the answer comes. */
export function Stale({ isStale, loading, children }: Props) {
  return (
    <Stack gap="xs" aria-busy={isStale} {...(isStale ? { 'data-busy': true } : {})}>
      {isStale && (
        <Text size="sm" role="status" fw={500}>
          {text.loading(periodName(loading))}
        </Text>
      )}
      <Box inert={isStale} style={isStale ? { opacity: 0.3, filter: 'grayscale(1)' } : {}}>
        {children}
      </Box>
    </Stack>
  );
}
