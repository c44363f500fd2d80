import { Alert, Anchor, Button, FileButton, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconFileSpreadsheet } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { importText } from '../../strings/import.ts';
import { saveFile } from '../../ui/save-file.ts';
import { readFile, readText } from './read-file.ts';
import { maxRows, type Sheet } from './read-sheet.ts';
import classes from './start-panel.module.css';
import { writeCsv } from './write-csv.ts';

type Props = { readonly onSheet: (sheet: Sheet) => void };

const words = importText.start;

/** A place to drop a file, and one to paste rows. */
export function StartPanel({ onSheet }: Props) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const [text, setText] = useState('');
  const take = (sheet: Sheet | string) => {
    setRefusal(typeof sheet === 'string' ? sheet : null);
    if (typeof sheet !== 'string') onSheet(sheet);
  };
  const takeFile = async (file: File | null | undefined) => {
    if (file) take(await readFile(file));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void takeFile(event.dataTransfer.files[0]);
  };
  return (
    <Stack gap="md">
      {refusal && (
        <Alert
          color="red"
          icon={<IconAlertTriangle aria-hidden />}
          title={importText.refused.title}
          role="alert"
        >
          {refusal}
        </Alert>
      )}
      <Paper
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={event => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Stack align="center" gap="sm" ta="center">
          <IconFileSpreadsheet size={40} stroke={1.25} aria-hidden className={classes.icon} />
          <Text fw={500}>{words.drop}</Text>
          <FileButton
            onChange={file => void takeFile(file)}
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
            inputProps={{ 'aria-label': words.choose }}
          >
            {props => <Button {...props}>{words.choose}</Button>}
          </FileButton>
          <Text size="sm" c="dimmed" maw={420}>
            {words.limits(maxRows)} {words.known}
          </Text>
          <Anchor component="button" type="button" size="sm" onClick={saveExample}>
            {words.example}
          </Anchor>
        </Stack>
      </Paper>
      <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
        <Textarea
          label={words.paste}
          description={words.pasteHint}
          placeholder={words.pastePlaceholder}
          classNames={{ input: classes.paste }}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          onPaste={event => {
            // Pasted into an empty field, rows are all there is to say.
            const pasted = event.clipboardData.getData('text/plain');
            if (text !== '' || !/[\t\n,;]/.test(pasted)) return;
            event.preventDefault();
            setText(pasted);
            take(readText(pasted));
          }}
          autosize
          minRows={4}
          maxRows={10}
          spellCheck={false}
        />
        {text.trim() !== '' && (
          <Group justify="flex-end" mt="sm">
            <Button onClick={() => take(readText(text))}>{words.use}</Button>
          </Group>
        )}
      </Paper>
    </Stack>
  );
}

function saveExample(): void {
  const rows = [
    [importText.rows.name, importText.rows.destination, importText.rows.ending, importText.columns.tags],
    ['Spring menu', 'https://example.com/menu/spring', 'spring-menu', 'Menu | Spring'],
    ['Table 1', 'https://example.com/order?table=1', '', 'Tables'],
  ];
  saveFile(new Blob([writeCsv(rows)], { type: 'text/csv' }), words.exampleName);
}
