import { Paper, SimpleGrid } from '@mantine/core';
import type { OperatorAccount } from '@signpost/contract';
import { operatorText } from '../../strings/operator.ts';
import { Figure } from '../../ui/figure.tsx';

const text = operatorText.account;

/** What an account has, and what speaks against it. */
export function AccountFigures({ found }: { readonly found: OperatorAccount }) {
  const { requests_per_minute, codes, creations_per_minute } = found.limits;
  const limits = [
    [text.ownLimits.requests, requests_per_minute],
    [text.ownLimits.codes, codes],
    [text.ownLimits.creations, creations_per_minute],
  ] as const;
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
      <SimpleGrid cols={{ base: 2, sm: 4 }} className="figures">
        <Figure size="small" label={text.liveCodes} value={found.live_codes} />
        <Figure size="small" label={text.testCodes} value={found.test_codes} />
        <Figure size="small" label={text.suspendedCodes} value={found.suspended_codes} />
        <Figure size="small" label={text.openReports} value={found.reports} />
        {limits.map(
          ([label, limit]) =>
            limit !== null && <Figure key={label} size="small" label={label} value={limit} />,
        )}
      </SimpleGrid>
    </Paper>
  );
}
