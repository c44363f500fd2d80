import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import type { BlockedHost } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { formatDate, formatNumber } from '../../ui/format.ts';
import { LongText } from '../../ui/long-text.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import classes from './hosts-table.module.css';
import { useForgetAbuse } from './queries.ts';
import { codesOf } from './words.ts';

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
      aria-label={`Unblock ${host.host}`}
      style={{ flexShrink: 0 }}
    >
      Unblock
    </Button>
  );
  return narrow ? <Cards hosts={hosts} action={action} /> : <Rows hosts={hosts} action={action} />;
}

type ShapeProps = Props & { readonly action: (host: BlockedHost) => React.ReactNode };

function Rows({ hosts, action }: ShapeProps) {
  return (
    <Table verticalSpacing="sm" className={classes.table} aria-label="Blocked hosts">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="30%">Host</Table.Th>
          <Table.Th>Reason</Table.Th>
          <Table.Th w={124}>Blocked</Table.Th>
          <Table.Th w={124} ta="right">
            Codes
          </Table.Th>
          <Table.Th w={112} aria-label="Unblock" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {hosts.map(host => (
          <Table.Tr key={host.host}>
            <Table.Td fw={600} style={{ overflowWrap: 'anywhere' }}>
              {host.host}
            </Table.Td>
            <Table.Td>
              <Reason host={host} />
            </Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDate(host.created_at)}</Table.Td>
            <Table.Td ta="right">
              {host.marking ? (
                <Text inherit c="dimmed" span>
                  being marked
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
    <Stack component="ul" gap={0} className={classes.cards} aria-label="Blocked hosts">
      {hosts.map(host => (
        <li key={host.host} className={classes.card}>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {host.host}
            </Text>
            {action(host)}
          </Group>
          <Reason host={host} />
          <Text size="sm" c="dimmed" className="figures">
            {host.marking ? 'Codes are being marked' : `${codesOf(host.suspended_codes)} suspended`}, blocked{' '}
            {formatDate(host.created_at)}
          </Text>
        </li>
      ))}
    </Stack>
  );
}

const Reason = ({ host }: { readonly host: BlockedHost }) =>
  host.reason ? <LongText text={host.reason} what="the reason" lines={2} size="sm" /> : null;

function useUnblock() {
  const forget = useForgetAbuse();
  const unblock = useMutation({
    mutationFn: (host: string) => call('unblockHost', { params: { id: host } }),
    onSuccess: async ({ host, released_codes }) => {
      notifyDone(
        released_codes === 0
          ? `${host} is unblocked.`
          : `${host} is unblocked, ${codesOf(released_codes)} released.`,
      );
      await forget();
    },
    onError: error => notifyProblem(error, 'The host was not unblocked'),
  });
  const ask = ({ host, suspended_codes }: BlockedHost) =>
    modals.openConfirmModal({
      title: 'Unblock this host?',
      children: (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Codes may lead to <b>{host}</b> and its subdomains again.{' '}
          {suspended_codes > 0 &&
            `${codesOf(suspended_codes)} that ${suspended_codes === 1 ? 'was suspended for it is' : 'were suspended for it are'} released.`}
        </Text>
      ),
      labels: { confirm: 'Unblock', cancel: 'Cancel' },
      onConfirm: () => unblock.mutate(host),
    });
  return { ask, unblocking: unblock.isPending ? unblock.variables : null };
}
