import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { OperatorAccount } from '@signpost/contract';
import { formatNumber } from '../../ui/format.ts';

/** What an account has, and what speaks against it. */
export function AccountFigures({ found }: { readonly found: OperatorAccount }) {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
      <SimpleGrid cols={{ base: 2, sm: 4 }} className="figures">
        <Figure label="Live codes" value={found.live_codes} />
        <Figure label="Test codes" value={found.test_codes} />
        <Figure label="Suspended codes" value={found.suspended_codes} />
        <Figure label="Open reports" value={found.reports} />
      </SimpleGrid>
    </Paper>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <div>
      <Text fz={26} fw={680} lh={1.2}>
        {formatNumber(value)}
      </Text>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
    </div>
  );
}
