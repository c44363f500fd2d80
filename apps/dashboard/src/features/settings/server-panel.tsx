import { Alert, Anchor, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { settingsText } from '../../strings/settings.ts';
import { Panel } from '../../ui/panel.tsx';
import { addressFault } from '../codes/public-address.ts';
import { useAccount, useMe } from '../shell/me.ts';

const text = settingsText.plan;

/** The addresses and the version of this server. */
export function ServerPanel() {
  const { service } = useMe();
  const account = useAccount();
  return (
    <Panel title={text.server}>
      <NotPublic url={service.short_base_url} />
      <Table maw={520} verticalSpacing="sm" horizontalSpacing={0} aria-label={text.server}>
        <Table.Tbody>
          <Fact name={text.shortLinks} value={service.short_base_url} />
          <Fact name={text.testLinks} value={account.test_short_base_url} />
          <Fact name={text.version} value={service.version} />
        </Table.Tbody>
      </Table>
      <Anchor href="/docs">{text.reference}</Anchor>
    </Panel>
  );
}

/** Codes are printed: an address that phones cannot open is said before that. */
function NotPublic({ url }: { readonly url: string }) {
  const fault = addressFault(url);
  if (fault === null) return null;
  const words = text.notPublic;
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={words[fault]}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {fault === 'private' ? words.privateText(url) : words.insecureText(url)}
      </Text>
    </Alert>
  );
}

export function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} c="dimmed" miw={150}>
        {name}
      </Table.Th>
      <Table.Td ta="right" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Table.Td>
    </Table.Tr>
  );
}
