import { Paper, SimpleGrid } from '@mantine/core';
import type { OperatorAccount } from '@signpost/contract';
import { Figure } from '../../ui/figure.tsx';

/** What an account has, and what speaks against it. */
export function AccountFigures({ found }: { readonly found: OperatorAccount }) {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
      <SimpleGrid cols={{ base: 2, sm: 4 }} className="figures">
        <Figure size="small" label="Live codes" value={found.live_codes} />
        <Figure size="small" label="Test codes" value={found.test_codes} />
        <Figure size="small" label="Suspended codes" value={found.suspended_codes} />
        <Figure size="small" label="Open reports" value={found.reports} />
      </SimpleGrid>
    </Paper>
  );
}
