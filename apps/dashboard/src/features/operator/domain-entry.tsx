import { Badge, Group, Stack, Text } from '@mantine/core';
import type { OperatorDomain } from '@signpost/contract';
import { operatorText } from '../../strings/operator.ts';
import { Copy } from '../../ui/copy.tsx';
import { formatDate } from '../../ui/format.ts';
import { LongText } from '../../ui/long-text.tsx';
import { AccountName } from './account-chips.tsx';
import { Entry } from './entries.tsx';
import { hostOf } from './words.ts';

const text = operatorText.lookUp.domain;

/** A domain with whose it is, and where it leads without a code. Never links, which one might open by mistake. */
export function DomainEntry({ domain }: { readonly domain: OperatorDomain }) {
  const { host, status, account, targets } = domain;
  return (
    <Entry>
      <Stack gap="xs" miw={0}>
        <Group gap="xs">
          <Text size="lg" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {host}
          </Text>
          {status === 'released' && (
            <Badge color="gray" variant="light" tt="none" fw={500}>
              {text.released}
            </Badge>
          )}
        </Group>
        {targets.length === 0 && (
          <Text size="sm" c="dimmed">
            {text.nowhere}
          </Text>
        )}
        {targets.map(({ kind, url, cleared_at: clearedAt }) => (
          <Stack key={`${kind} ${clearedAt}`} gap={2} miw={0}>
            <Text size="xs" c="dimmed" className="figures">
              {clearedAt ? text.until[kind](formatDate(clearedAt)) : text[kind]}
            </Text>
            <Group gap={4} wrap="nowrap">
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {hostOf(url)}
              </Text>
              <Copy value={url} what={operatorText.code.destination} />
            </Group>
            <LongText
              text={url}
              what={operatorText.code.theDestination}
              lines={2}
              size="xs"
              c="dimmed"
              ff="monospace"
            />
          </Stack>
        ))}
        <AccountName account={account} />
      </Stack>
    </Entry>
  );
}
