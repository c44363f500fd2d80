import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import type { BlockedHost } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { operatorText } from '../../strings/operator.ts';
import { Dot } from '../../ui/dot.tsx';
import { formatDate, formatNumber } from '../../ui/format.ts';
import { LongText } from '../../ui/long-text.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import classes from './hosts-table.module.css';
import { useForgetAbuse } from './queries.ts';

const text = operatorText.hosts;

type Props = { readonly hosts: readonly BlockedHost[] };

/** One row a host; where that is too narrow to read, one card a host. */
export function HostsTable({ hosts }: Props) {
  const narrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  const { ask, unblocking } = useUnblock();
  const action = (host: BlockedHost) => (
    <Button
      size="xs"
      variant="default"
      loading={unblocking === host.host}
      onClick={() => ask(host)}
      aria-label={text.unblockOf(host.host)}
      style={{ flexShrink: 0 }}
    >
      {text.unblock}
    </Button>
  );
  return narrow ? <Cards hosts={hosts} action={action} /> : <Rows hosts={hosts} action={action} />;
}

type ShapeProps = Props & { readonly action: (host: BlockedHost) => React.ReactNode };

function Rows({ hosts, action }: ShapeProps) {
  return (
    <Table verticalSpacing="sm" className={classes.table} aria-label={text.title}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="30%">{text.host}</Table.Th>
          <Table.Th>{text.reason}</Table.Th>
          <Table.Th w={124}>{text.blockedAt}</Table.Th>
          <Table.Th w={124} ta="right">
            {text.codes}
          </Table.Th>
          <Table.Th w={112} aria-label={text.unblock} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {hosts.map(host => (
          <Table.Tr key={host.host}>
            <Table.Td fw={500} style={{ overflowWrap: 'anywhere' }}>
              {host.host}
            </Table.Td>
            <Table.Td>
              <Reason host={host} />
            </Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDate(host.created_at)}</Table.Td>
            <Table.Td ta="right">
              {host.marking ? (
                <Text inherit c="dimmed" span>
                  {text.marking}
                </Text>
              ) : (
                formatNumber(host.suspended_codes)
              )}
            </Table.Td>
            <Table.Td ta="right">{action(host)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Cards({ hosts, action }: ShapeProps) {
  return (
    <Stack component="ul" gap={0} className={classes.cards} aria-label={text.title}>
      {hosts.map(host => (
        <li key={host.host} className={classes.card}>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
              {host.host}
            </Text>
            {action(host)}
          </Group>
          <Reason host={host} />
          <Text size="sm" c="dimmed" className="figures">
            {host.marking ? text.codesMarking : text.codesSuspended(host.suspended_codes)}
            <Dot />
            {text.blockedOn(formatDate(host.created_at))}
          </Text>
        </li>
      ))}
    </Stack>
  );
}

const Reason = ({ host }: { readonly host: BlockedHost }) =>
  host.reason ? <LongText text={host.reason} what={text.theReason} lines={2} size="sm" /> : null;

function useUnblock() {
  const forget = useForgetAbuse();
  const unblock = useMutation({
    mutationFn: (host: string) => call('unblockHost', { params: { id: host } }),
    onSuccess: async ({ host, released_codes }) => {
      notifyDone(released_codes === 0 ? text.unblocked(host) : text.unblockedWith(host, released_codes));
      await forget();
    },
    onError: error => notifyProblem(error, text.unblockFailed),
  });
  const ask = ({ host, suspended_codes }: BlockedHost) =>
    modals.openConfirmModal({
      title: text.unblockTitle,
      children: (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Sentence text={text.unblockText} parts={{ host: <b>{host}</b> }} />{' '}
          {suspended_codes > 0 && text.unblockReleases(suspended_codes)}
        </Text>
      ),
      labels: { confirm: text.unblock, cancel: operatorText.cancel },
      onConfirm: () => unblock.mutate(host),
    });
  return { ask, unblocking: unblock.isPending ? unblock.variables : null };
}
