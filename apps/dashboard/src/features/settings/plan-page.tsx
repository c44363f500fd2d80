import { Anchor, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { formatNumber, formatShare } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useMe } from '../shell/me.ts';

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** What the plan allows, and how much of it is used. */
export function PlanPage() {
  const { account, service } = useMe();
  const { code_quota, codes_used, quota_scope } = account;
  const what = quota_scope === 'api' ? 'Codes made by API' : 'Live codes, made here or by API';
  return (
    <Page
      title="Plan and usage"
      description="A code that exists goes on redirecting and counting for ever, whatever happens to the plan."
    >
      <Panel
        title={`${capitalised(account.plan)} plan`}
        description="The operator of this server sets the plan."
      >
        <Stack gap="xs" maw={520}>
          <Group justify="space-between" className="figures">
            <Text>{what}</Text>
            <Text fw={600}>
              {code_quota === null
                ? `${formatNumber(codes_used)}, no limit`
                : `${formatNumber(codes_used)} of ${formatNumber(code_quota)}`}
            </Text>
          </Group>
          {code_quota !== null && (
            <Progress.Root size={10}>
              <Progress.Section
                value={Math.min(100, (codes_used / Math.max(1, code_quota)) * 100)}
                {...(codes_used >= code_quota ? { color: 'red' } : {})}
                aria-label={`${formatShare(codes_used, code_quota)} of the codes used`}
              />
            </Progress.Root>
          )}
          {code_quota !== null && codes_used >= code_quota && (
            <Text size="sm" c="dimmed">
              No place is left. Deleting a code frees one.
            </Text>
          )}
        </Stack>
        <Table maw={520} verticalSpacing="sm" horizontalSpacing={0} aria-label="What the plan allows">
          <Table.Tbody>
            <Fact
              name="Requests a minute, live and test each"
              value={formatNumber(account.requests_per_minute)}
            />
            <Fact name="Webhooks" value={account.webhooks ? 'Included' : 'Not included'} />
            <Fact name="Test codes" value="No limit; they count against nothing" />
          </Table.Tbody>
        </Table>
      </Panel>
      <Panel title="This server">
        <Table maw={520} verticalSpacing="sm" horizontalSpacing={0} aria-label="This server">
          <Table.Tbody>
            <Fact name="Short links begin with" value={service.short_base_url} />
            <Fact name="Version" value={service.version} />
          </Table.Tbody>
        </Table>
        <Anchor href="/docs">API reference</Anchor>
      </Panel>
    </Page>
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
