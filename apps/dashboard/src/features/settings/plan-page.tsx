import { Anchor, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { formatNumber, formatShare } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useMe } from '../shell/me.ts';

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** What the plan allows, and how much of it is used. */
export function PlanPage() {
  const { account, service } = useMe();
  const what = account.quota_scope === 'api' ? 'Codes made by API' : 'Live codes, made here or by API';
  return (
    <Page
      title="Plan and usage"
      description="A code that exists goes on redirecting and counting for ever, whatever happens to the plan."
    >
      <Panel
        title={`${capitalised(account.plan)} plan`}
        description="The operator of this server sets the plan."
      >
        <Usage what={what} used={account.codes_used} limit={account.code_quota} />
        {account.session_codes !== null && (
          <Usage what="Codes made here" used={account.session_codes_used} limit={account.session_codes} />
        )}
        <Usage
          what="Test codes, which count against nothing else"
          used={account.test_codes_used}
          limit={account.test_codes}
        />
        <Table maw={520} verticalSpacing="sm" horizontalSpacing={0} aria-label="What the plan allows">
          <Table.Tbody>
            <Fact
              name="Requests a minute, live and test each"
              value={formatNumber(account.requests_per_minute)}
            />
            <Fact
              name="New codes a minute, live and test each"
              value={
                account.creations_per_minute === null
                  ? 'No limit'
                  : formatNumber(account.creations_per_minute)
              }
            />
            <Fact name="Webhooks" value={account.webhooks ? 'Included' : 'Not included'} />
          </Table.Tbody>
        </Table>
      </Panel>
      <Panel title="This server">
        <Table maw={520} verticalSpacing="sm" horizontalSpacing={0} aria-label="This server">
          <Table.Tbody>
            <Fact name="Short links begin with" value={service.short_base_url} />
            <Fact name="Those of your test codes with" value={account.test_short_base_url} />
            <Fact name="Version" value={service.version} />
          </Table.Tbody>
        </Table>
        <Anchor href="/docs">API reference</Anchor>
      </Panel>
    </Page>
  );
}

type UsageProps = { readonly what: string; readonly used: number; readonly limit: number | null };

function Usage({ what, used, limit }: UsageProps) {
  return (
    <Stack gap="xs" maw={520}>
      <Group justify="space-between" className="figures">
        <Text>{what}</Text>
        <Text fw={600}>
          {limit === null
            ? `${formatNumber(used)}, no limit`
            : `${formatNumber(used)} of ${formatNumber(limit)}`}
        </Text>
      </Group>
      {limit !== null && (
        <Progress.Root size={10}>
          <Progress.Section
            value={Math.min(100, (used / Math.max(1, limit)) * 100)}
            {...(used >= limit ? { color: 'red' } : {})}
            aria-label={`${what}: ${formatShare(used, limit)} used`}
          />
        </Progress.Root>
      )}
      {limit !== null && used >= limit && (
        <Text size="sm" c="dimmed">
          No place is left. Deleting one of these codes frees one.
        </Text>
      )}
    </Stack>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} c="dimmed">
        {name}
      </Table.Th>
      <Table.Td ta="right" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Table.Td>
    </Table.Tr>
  );
}
