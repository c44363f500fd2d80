import { Badge, Group, Table, Text } from '@mantine/core';
import type { Plan } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { operatorText } from '../../strings/operator.ts';
import { formatNumber } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { codesOfPlan, limitOf } from './plan-words.ts';
import { plansQuery } from './queries.ts';

const text = operatorText.plans;

/** As docs/self-hosting/README.md has it. */
const statement = `update plans set code_quota = 500 where name = 'business'`;

/** What each plan allows, and how many accounts are on it. */
export function PlansPage() {
  const query = useQuery(plansQuery);
  return (
    <Page title={text.title}>
      <QueryView query={query}>
        {({ data }) => (
          <Panel>
            <PlansTable plans={data} />
          </Panel>
        )}
      </QueryView>
      <Panel title={text.editTitle} description={text.editText}>
        <Snippet text={statement} what={text.sql} />
      </Panel>
    </Page>
  );
}

function PlansTable({ plans }: { readonly plans: readonly Plan[] }) {
  return (
    <WideTable label={text.table} minWidth={880}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.name}</Table.Th>
          <Table.Th ta="right">{text.accounts}</Table.Th>
          <Table.Th>{text.codes}</Table.Th>
          <Table.Th ta="right">{text.testCodes}</Table.Th>
          <Table.Th ta="right">{text.requests}</Table.Th>
          <Table.Th ta="right">{text.creations}</Table.Th>
          <Table.Th>{text.webhooks}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {plans.map(plan => (
          <Table.Tr key={plan.name} className="figures">
            <Table.Td>
              <Group gap="xs">
                <Text size="sm" fw={500}>
                  {plan.name}
                </Text>
                {plan.is_default && (
                  <Badge variant="light" tt="none" fw={500} miw="fit-content">
                    {text.isDefault}
                  </Badge>
                )}
              </Group>
            </Table.Td>
            <Table.Td ta="right">
              <LinkAnchor
                to="/operator/accounts"
                search={{ plan: plan.name }}
                size="sm"
                aria-label={text.accountsOf(plan.accounts, plan.name)}
              >
                {formatNumber(plan.accounts)}
              </LinkAnchor>
            </Table.Td>
            <Table.Td>{codesOfPlan(plan)}</Table.Td>
            <Table.Td ta="right">{limitOf(plan.test_codes)}</Table.Td>
            <Table.Td ta="right">{formatNumber(plan.requests_per_minute)}</Table.Td>
            <Table.Td ta="right">{limitOf(plan.creations_per_minute)}</Table.Td>
            <Table.Td>{plan.webhooks ? text.yes : text.no}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
