import { Badge, Button, Divider, Group, Menu, Paper, Stack, Text } from '@mantine/core';
import type { Report } from '@signpost/contract';
import { IconBan, IconCheck, IconChevronDown, IconUserOff, IconWorldOff } from '@tabler/icons-react';
import { operatorText } from '../../strings/operator.ts';
import { Dot } from '../../ui/dot.tsx';
import { shownUrl } from '../../ui/format.ts';
import { Sentence } from '../../ui/sentence.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { AccountName } from './account-chips.tsx';
import { openBlockHost } from './block-host.tsx';
import { CodeSummary } from './code-summary.tsx';
import { ReportMessages } from './report-messages.tsx';
import { openSuspend } from './suspend.tsx';
import { useCloseReport } from './use-close-report.ts';
import { currentHosts, kindNames, kindsOf } from './words.ts';

const text = operatorText.reports;

/** One reported link: what it is, who says what about it, whose it is, and what can be done. */
export function ReportCard({ report }: { readonly report: Report }) {
  const { code, messages } = report;
  const kinds = kindsOf(messages);
  return (
    <Paper
      component="article"
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      aria-label={text.reportOf(shownUrl(code.short_url))}
    >
      <Stack gap="md">
        <Group gap="xs">
          {kinds.map(kind => (
            <Badge key={kind} color="red" variant="light" tt="none" fw={500} miw="fit-content">
              {kindNames[kind]}
            </Badge>
          ))}
          <Text size="sm" c="dimmed" className="figures">
            {text.reports(report.count)}
            <Dot />
            <Sentence text={text.last} parts={{ time: <TimeAgo value={report.last_at} /> }} />
            {report.count > 1 && (
              <>
                <Dot />
                <Sentence text={text.first} parts={{ time: <TimeAgo value={report.first_at} /> }} />
              </>
            )}
          </Text>
        </Group>
        <CodeSummary code={code} />
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {operatorText.code.account}
          </Text>
          <AccountName account={code.account} />
        </Group>
        <ReportMessages messages={messages} />
        <Divider />
        <Actions report={report} kind={kinds[0]} />
      </Stack>
    </Paper>
  );
}

function Actions({
  report,
  kind,
}: {
  readonly report: Report;
  readonly kind: ReturnType<typeof kindsOf>[0] | undefined;
}) {
  const { code, closed_at } = report;
  const close = useCloseReport();
  const about = closed_at ? {} : { report: { id: report.id, kind } };
  const link = shownUrl(code.short_url);
  return (
    <Group gap="xs">
      {!code.suspended && code.status !== 'deleted' && (
        <Button
          size="xs"
          color="red.8"
          leftSection={<IconBan size={16} aria-hidden />}
          onClick={() => openSuspend({ what: 'code', id: code.id, name: link, ...about })}
          aria-label={operatorText.code.suspendOf(link)}
        >
          {operatorText.code.suspend}
        </Button>
      )}
      {!code.account.suspended && !code.account.closed_at && (
        <Button
          size="xs"
          variant="outline"
          color="red"
          c="var(--mantine-color-text)"
          leftSection={<IconUserOff size={16} aria-hidden />}
          onClick={() =>
            openSuspend({ what: 'account', id: code.account.id, name: code.account.name, ...about })
          }
          aria-label={operatorText.code.suspendAccountOf(code.account.name)}
        >
          {operatorText.code.suspendAccount}
        </Button>
      )}
      <BlockButton hosts={currentHosts(code.targets)} onBlock={host => openBlockHost({ host, ...about })} />
      {closed_at ? (
        <Text size="sm" c="dimmed">
          <Sentence text={text.closedAt} parts={{ time: <TimeAgo value={closed_at} /> }} />
        </Text>
      ) : (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCheck size={16} aria-hidden />}
          loading={close.isPending}
          onClick={() => close.mutate(report.id)}
          aria-label={text.closeOf(link)}
        >
          {text.close}
        </Button>
      )}
    </Group>
  );
}

type BlockProps = { readonly hosts: readonly string[]; readonly onBlock: (host: string) => void };

/** A code with rules may lead to several hosts: the operator chooses one. */
function BlockButton({ hosts, onBlock }: BlockProps) {
  const look = {
    size: 'xs',
    variant: 'default',
    leftSection: <IconWorldOff size={16} aria-hidden />,
  } as const;
  const [host] = hosts;
  if (host === undefined) return null;
  if (hosts.length === 1)
    return (
      <Button {...look} onClick={() => onBlock(host)} aria-label={text.blockOf(host)}>
        {text.block}
      </Button>
    );
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button {...look} rightSection={<IconChevronDown size={16} aria-hidden />}>
          {text.block}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {hosts.map(name => (
          <Menu.Item
            key={name}
            onClick={() => onBlock(name)}
            style={{ overflowWrap: 'anywhere', maxWidth: 320 }}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
