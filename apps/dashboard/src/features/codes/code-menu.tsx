import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconCopy,
  IconCopyPlus,
  IconDownload,
  IconFlask,
  IconPlayerPause,
  IconPlayerPlay,
  IconPrinter,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { codesText } from '../../strings/codes.ts';
import { sandboxText } from '../../strings/sandbox.ts';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { useRefusal, useRoleRefusal } from '../shell/use-refusal.ts';
import type { CodeFacts } from './code-facts.ts';
import { copyLink } from './copy-link.ts';
import { openDeleteCode } from './delete-code.tsx';
import { openDownload } from './open-download.ts';
import { openSendTestScans } from './send-test-scans.tsx';
import { useUpdateCode } from './use-update-code.tsx';

type Props = { readonly code: CodeFacts; readonly isRow?: boolean };

const text = codesText.actions;
const icon = { size: 16, 'aria-hidden': true } as const;

/** What can be done with a code. In a row also what the header of its page has as buttons. */
export function CodeMenu({ code, isRow = false }: Props) {
  const navigate = useNavigate();
  const mode = useMode();
  const { change, isPending } = useUpdateCode(code);
  const isRefused = useRefusal('qrcodes:write') !== undefined;
  const deletionRefusal = useRoleRefusal('qrcodes:delete');
  const isActive = code.status === 'active';
  const toggle = isActive ? text.pause : code.status === 'draft' ? text.publish : text.resume;
  const gone = async () => {
    if (!isRow) await navigate({ to: '/codes', ignoreBlocker: true });
  };
  return (
    <MoreMenu label={isRow ? text.moreFor(code.name) : text.more} isFramed={!isRow}>
      {isRow && (
        <>
          <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void copyLink(code.short_url)}>
            {text.copyLink}
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload {...icon} />} onClick={() => void openDownload(code)}>
            {text.download}
          </Menu.Item>
        </>
      )}
      <Menu.Item
        leftSection={<IconPrinter {...icon} />}
        onClick={() => void navigate({ to: '/print', search: { ids: [code.id] } })}
      >
        {text.print}
      </Menu.Item>
      {mode === 'test' && (
        <Menu.Item
          leftSection={<IconFlask {...icon} />}
          disabled={isRefused || !isActive}
          onClick={() => openSendTestScans({ code })}
        >
          {sandboxText.action}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconCopyPlus {...icon} />}
        disabled={isRefused}
        onClick={() => void navigate({ to: '/codes/new', search: { from: code.id } })}
      >
        {text.duplicate}
      </Menu.Item>
      <Menu.Item
        leftSection={isActive ? <IconPlayerPause {...icon} /> : <IconPlayerPlay {...icon} />}
        disabled={isRefused || isPending}
        onClick={() => change({ active: !isActive })}
      >
        {toggle}
      </Menu.Item>
      <Menu.Item
        leftSection={code.archived ? <IconArchiveOff {...icon} /> : <IconArchive {...icon} />}
        disabled={isRefused || isPending}
        onClick={() => change({ archived: !code.archived })}
      >
        {code.archived ? text.unarchive : text.archive}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        c="light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))"
        leftSection={<IconTrash {...icon} />}
        disabled={deletionRefusal !== undefined}
        onClick={() => openDeleteCode({ code, onDeleted: gone })}
      >
        {text.delete}
      </Menu.Item>
      {deletionRefusal && <Menu.Label maw={240}>{deletionRefusal}</Menu.Label>}
    </MoreMenu>
  );
}
