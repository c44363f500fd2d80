import { Group, Progress, Stack, Table, Text } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { settingsText } from '../../strings/settings.ts';
import { formatNumber, formatShare } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAccount, useMe } from '../shell/me.ts';
import { Fact, ServerPanel } from './server-panel.tsx';

const text = settingsText.plan;

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** What the plan allows, and how much of it is used. */
export function PlanPage() {
  const { service } = useMe();
  const account = useAccount();
  if (!service.sign_up) return <Navigate to="/settings/account" replace />;
  return (
    <Page title={text.title}>
      <Panel title={text.of(capitalised(account.plan))} description={text.setBy}>
        <Usage what={text.codes[account.quota_scope]} used={account.codes_used} limit={account.code_quota} />
        {account.session_codes !== null && (
          <Usage what={text.dashboardCodes} used={account.session_codes_used} limit={account.session_codes} />
        )}
        <Usage what={text.testCodes} used={account.test_codes_used} limit={account.test_codes} />
        <Table maw={520} verticalSpacing="sm" horizontalSpacing={0} aria-label={text.limits}>
          <Table.Tbody>
            <Fact name={text.requests} value={formatNumber(account.requests_per_minute)} />
            <Fact
              name={text.creations}
              value={
                account.creations_per_minute === null
                  ? text.noLimit
                  : formatNumber(account.creations_per_minute)
              }
            />
            <Fact name={text.webhooks} value={account.webhooks ? text.included : text.notIncluded} />
          </Table.Tbody>
        </Table>
      </Panel>
      <ServerPanel />
    </Page>
  );
}

type UsageProps = { readonly what: string; readonly used: number; readonly limit: number | null };

function Usage({ what, used, limit }: UsageProps) {
  return (
    <Stack gap="xs" maw={520}>
      <Group justify="space-between" className="figures">
        <Text>{what}</Text>
        <Text fw={500}>
          {limit === null
            ? text.unlimited(formatNumber(used))
            : text.used(formatNumber(used), formatNumber(limit))}
        </Text>
      </Group>
      {limit !== null && (
        <Progress.Root size={10}>
          <Progress.Section
            value={Math.min(100, (used / Math.max(1, limit)) * 100)}
            {...(used >= limit ? { color: 'red' } : {})}
            aria-label={text.share(what, formatShare(used, limit))}
          />
        </Progress.Root>
      )}
      {limit !== null && used >= limit && (
        <Text size="sm" c="dimmed">
          {text.full}
        </Text>
      )}
    </Stack>
  );
}
