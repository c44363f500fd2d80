import { Badge, Group, Table, Text } from '@mantine/core';
import type { Domain } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { domainsText as text } from '../../strings/domains.ts';
import { curlFor } from '../../ui/curl.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatNumber, shownUrl } from '../../ui/format.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { domainsQuery } from './queries.ts';

/** The hosts of the account; the operator of the service adds them. */
export function DomainsPage() {
  const query = useQuery(domainsQuery);
  return (
    <Page title={text.title} description={text.text}>
      <Panel>
        <QueryView query={query}>
          {domains =>
            domains.length === 0 ? (
              <Empty title={text.emptyTitle} curl={curlFor('GET', '/v1/domains')}>
                {text.emptyText}
              </Empty>
            ) : (
              <DomainsTable domains={domains} />
            )
          }
        </QueryView>
      </Panel>
    </Page>
  );
}

function DomainsTable({ domains }: { readonly domains: readonly Domain[] }) {
  return (
    <WideTable label={text.table} minWidth={720}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.host}</Table.Th>
          <Table.Th>{text.status}</Table.Th>
          <Table.Th>{text.codes}</Table.Th>
          <Table.Th>{text.root}</Table.Th>
          <Table.Th>{text.notFound}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {domains.map(domain => (
          <Table.Tr key={domain.id}>
            <Table.Td fw={500}>
              <Group gap="xs">
                <span style={{ overflowWrap: 'anywhere' }}>{domain.host}</span>
                {domain.is_default && (
                  <Badge variant="default" tt="none" fw={400} miw="fit-content" title={text.defaultHint}>
                    {text.default}
                  </Badge>
                )}
              </Group>
            </Table.Td>
            <Table.Td>
              <div>
                <Badge
                  variant="light"
                  tt="none"
                  fw={500}
                  miw="fit-content"
                  color={domain.status === 'active' ? 'signpost' : 'gray'}
                >
                  {text.statuses[domain.status]}
                </Badge>
                {domain.status === 'released' && (
                  <Text size="xs" c="dimmed" mt={4}>
                    {text.releasedHint}
                  </Text>
                )}
              </div>
            </Table.Td>
            <Table.Td className="figures">
              {domain.qr_codes === 0 ? (
                0
              ) : (
                <LinkAnchor size="sm" to="/codes" search={{ domain: domain.host }}>
                  <span title={text.showCodes(domain.host)}>{formatNumber(domain.qr_codes)}</span>
                </LinkAnchor>
              )}
            </Table.Td>
            <Table.Td>
              <Target domain={domain} url={domain.root_url} what={text.root} />
            </Table.Td>
            <Table.Td>
              <Target domain={domain} url={domain.not_found_url} what={text.notFound} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

type TargetProps = { readonly domain: Domain; readonly url: string | null; readonly what: string };

/** Nothing leads anywhere on a domain that is not connected. */
function Target({ domain, url, what }: TargetProps) {
  if (domain.status === 'active' && url !== null)
    return <LongText size="sm" text={shownUrl(url)} what={what} />;
  return (
    <Text size="sm" c="dimmed">
      {domain.status === 'active' ? text.ownPage : '–'}
    </Text>
  );
}
