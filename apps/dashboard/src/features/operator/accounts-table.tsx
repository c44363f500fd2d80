import { Button, Group, Table, Text } from '@mantine/core';
import type { ListedAccount } from '@signpost/contract';
import { operatorText } from '../../strings/operator.ts';
import { formatDate, formatNumber } from '../../ui/format.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { AccountChips } from './account-chips.tsx';
import { openChangePlan } from './change-plan.tsx';

const text = operatorText.accounts;

export function AccountsTable({ accounts }: { readonly accounts: readonly ListedAccount[] }) {
  return (
    <WideTable label={text.title} minWidth={860}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.account}</Table.Th>
          <Table.Th>{text.plan}</Table.Th>
          <Table.Th ta="right">{text.codes}</Table.Th>
          <Table.Th ta="right">{text.testCodes}</Table.Th>
          <Table.Th ta="right">{text.scans}</Table.Th>
          <Table.Th>{text.since}</Table.Th>
          <Table.Th aria-label={text.changePlan} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {accounts.map(item => (
          <Row key={item.account.id} item={item} />
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

function Row({ item }: { readonly item: ListedAccount }) {
  const { account, people, codes_used, live_codes, code_quota, test_codes, scans } = item;
  const name = account.name || text.unnamed;
  return (
    <Table.Tr className="figures">
      <Table.Td maw={340}>
        <Group gap="xs">
          <LinkAnchor
            to="/operator/accounts/$id"
            params={{ id: account.id }}
            size="sm"
            fw={500}
            style={{ overflowWrap: 'anywhere' }}
          >
            {name}
          </LinkAnchor>
          <AccountChips account={account} />
        </Group>
        <Text size="xs" c="dimmed" fw={400} style={{ overflowWrap: 'anywhere' }}>
          {people.join(', ') || text.noPeople}
        </Text>
      </Table.Td>
      <Table.Td>{account.plan}</Table.Td>
      <Table.Td ta="right">
        {code_quota === null || codes_used !== live_codes
          ? formatNumber(live_codes)
          : text.used(formatNumber(live_codes), formatNumber(code_quota))}
        {code_quota !== null && codes_used !== live_codes && (
          <Text size="xs" c="dimmed">
            {text.usedByApi(formatNumber(codes_used), formatNumber(code_quota))}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{formatNumber(test_codes)}</Table.Td>
      <Table.Td ta="right">{scans === null ? text.unknown : formatNumber(scans)}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDate(account.created_at)}</Table.Td>
      <Table.Td ta="right">
        {account.closed_at === null && (
          <Button
            size="xs"
            variant="default"
            onClick={() => openChangePlan({ id: account.id, name, plan: account.plan })}
            aria-label={text.changePlanOf(name)}
          >
            {text.changePlan}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
