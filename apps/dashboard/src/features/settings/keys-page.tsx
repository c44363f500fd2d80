import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Mode, useMode } from '../../api/mode.ts';
import { settingsText } from '../../strings/settings.ts';
import { curlFor } from '../../ui/curl.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { useAccount } from '../shell/me.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { openCreateKey } from './create-key.tsx';
import { KeysTable } from './keys-table.tsx';
import { keysQuery } from './queries.ts';

const text = settingsText.keys;

export function KeysPage() {
  const mode = useMode();
  const query = useQuery(keysQuery);
  const refusal = useKeyRefusal(mode);
  const icon = <IconPlus size={18} aria-hidden />;
  const create = refusal ? (
    <RefusedButton reason={refusal} leftSection={icon}>
      {text.create[mode]}
    </RefusedButton>
  ) : (
    <Button leftSection={icon} onClick={() => openCreateKey(mode)}>
      {text.create[mode]}
    </Button>
  );
  return (
    <Page title={text.title} description={text.text[mode]} actions={create}>
      <QueryView query={query}>
        {({ data }) => {
          const keys = data.filter(key => key.mode === mode);
          return keys.length === 0 ? (
            <Panel>
              <Empty
                title={text.emptyTitle[mode]}
                action={create}
                curl={curlFor('GET', '/v1/qrcodes')}
                curlTitle={text.tryIt}
              >
                {text.emptyText}
              </Empty>
            </Panel>
          ) : (
            <>
              <Panel>
                <KeysTable keys={keys} />
              </Panel>
              <Panel title={text.tryIt}>
                <Snippet text={curlFor('GET', '/v1/qrcodes')} what={text.curl} />
              </Panel>
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}

/** Keys of live mode wait for a confirmed address, like the links themselves. */
function useKeyRefusal(mode: Mode): string | undefined {
  const account = useAccount();
  const refusal = useRefusal('account:manage');
  return refusal ?? (account.held && mode === 'live' ? text.held : undefined);
}
