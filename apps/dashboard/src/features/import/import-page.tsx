import { Alert, Stack } from '@mantine/core';
import { modals } from '@mantine/modals';
import { logoPlanFor, unscannableField } from '@signpost/qr';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMode } from '../../api/mode.ts';
import { importText } from '../../strings/import.ts';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useUnsavedWork } from '../../ui/unsaved-work.ts';
import { previewLink } from '../codes/new-code.ts';
import { useAccount, useMe } from '../shell/me.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { batchRows } from './batches.ts';
import { ColumnsPanel } from './columns-panel.tsx';
import { CreateBar } from './create-bar.tsx';
import { DesignPanel } from './design-panel.tsx';
import { Interrupted } from './interrupted.tsx';
import { resultTable } from './result-table.ts';
import { ResultsPanel } from './results-panel.tsx';
import { roomFor } from './room.ts';
import { RowsPanel } from './rows-panel.tsx';
import { StartPanel } from './start-panel.tsx';
import { useImport } from './use-import.ts';

/** From a file or pasted rows to codes: check the rows, choose one design, create, take the images. */
export function ImportPage() {
  const { service } = useMe();
  const account = useAccount();
  const mode = useMode();
  const suspended = useRefusal('qrcodes:write');
  const work = useImport(service.min_chosen_code);
  const { loaded, checked, ready, created, style, sending } = work;
  const isBusy = sending.state !== 'idle';
  const remaining = checked.length;
  useUnsavedWork(remaining > 0);

  const room = roomFor(account, mode);
  const full =
    ready.length > room ? (room === 0 ? importText.create.noRoom : importText.create.room(room)) : undefined;
  const base = mode === 'test' ? account.test_short_base_url : service.short_base_url;
  // The longest link decides for all of them: as a usual one, since an underscore in any makes that one usual.
  const longest = ready.reduce((most, { row }) => (row.ending.length > most.length ? row.ending : most), '');
  const hasNoRoom =
    style.logo !== undefined && logoPlanFor(previewLink(longest, base), style.logo, false) === null;
  const refusedDesign = hasNoRoom
    ? importText.design.noRoom
    : unscannableField(style) !== null
      ? importText.design.unreadable
      : undefined;

  if (!loaded) {
    return (
      <Page title={importText.title}>
        <StartPanel onSheet={work.load} />
      </Page>
    );
  }
  return (
    <Page title={importText.title}>
      <Stack gap="lg">
        {sending.state === 'interrupted' && <Interrupted sending={sending} onRetry={work.retry} />}
        {sending.state === 'idle' && sending.refusal !== undefined && (
          <Problem error={sending.refusal} title={importText.run.refused} />
        )}
        {created.length > 0 && !isBusy && (
          <ResultsPanel
            created={created}
            table={() => resultTable(loaded, created, checked)}
            style={style}
            {...(remaining === 0 ? { onMore: work.startOver } : {})}
          />
        )}
        {sending.state === 'idle' && sending.found !== undefined && created.length === 0 && remaining > 0 && (
          <Alert
            color="yellow"
            icon={<IconAlertTriangle aria-hidden />}
            title={importText.run.returned(sending.found)}
            role="alert"
          >
            {importText.run.checkedBody}
          </Alert>
        )}
        {created.length > 0 && remaining > 0 && !isBusy && (
          <Alert
            color="yellow"
            icon={<IconAlertTriangle aria-hidden />}
            title={importText.run.returned(remaining)}
          >
            {importText.run.returnedBody}
          </Alert>
        )}
        {remaining > 0 && (
          <>
            {created.length === 0 && !isBusy && (
              <ColumnsPanel
                loaded={loaded}
                onMap={work.map}
                onMore={work.mapMore}
                onHeadings={work.setHeadings}
              />
            )}
            <RowsPanel
              checked={checked}
              brokenQuotes={loaded.sheet.brokenQuotes}
              locked={isBusy}
              onEdit={work.edit}
              onRemove={work.remove}
            />
            {created.length === 0 && !isBusy && (
              <DesignPanel
                style={style}
                onChange={work.setStyle}
                ending={checked[0]?.row.ending ?? ''}
                base={base}
              />
            )}
            <CreateBar
              ready={ready.length}
              sending={sending}
              refusal={suspended ?? full ?? refusedDesign}
              onCreate={() => work.create(Math.min(batchRows, account.creations_per_minute ?? batchRows))}
              onStop={work.stop}
              onStartOver={() => askToStartOver(work.startOver)}
            />
          </>
        )}
      </Stack>
    </Page>
  );
}

function askToStartOver(startOver: () => void): void {
  const words = importText.create;
  modals.openConfirmModal({
    title: words.cancelTitle,
    children: words.cancelBody,
    labels: { confirm: words.cancel, cancel: words.keep },
    confirmProps: { color: 'red.8' },
    onConfirm: startOver,
  });
}
