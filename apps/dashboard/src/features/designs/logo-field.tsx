import {
  Alert,
  Button,
  FileButton,
  Group,
  Input,
  Loader,
  Paper,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import type { Style } from '@signpost/qr';
import { IconAlertTriangle, IconPhoto } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { designsText } from '../../strings/designs.ts';
import { Problem } from '../../ui/problem.tsx';
import classes from './logo-field.module.css';
import { LogoRefusal } from './logo-refusal.ts';
import { LogoSettings } from './logo-settings.tsx';
import { LogoThumb } from './logo-thumb.tsx';
import { assetsQuery } from './queries.ts';
import { useLogoUpload } from './use-logo-upload.ts';

type Props = {
  readonly style: Style;
  readonly onChange: (style: Style) => void;
  readonly link: string;
};

const text = designsText.logo;
const accepted = 'image/png,image/jpeg,image/webp,image/svg+xml';

/** A place to drop a logo; once there is one, how large it is and what it costs. */
export function LogoField({ style, onChange, link }: Props) {
  const [isOver, setOver] = useState(false);
  const { logo, ...plain } = style;
  const use = (id: string) => onChange({ ...style, logo: { ...logo, asset_id: id } });
  const upload = useLogoUpload(({ id }) => use(id));
  const take = (file: File | null | undefined) => {
    if (file) upload.mutate(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  const button = (label: string) => (
    <FileButton onChange={take} accept={accepted} inputProps={{ 'aria-label': label }}>
      {props => (
        <Button variant="default" size="xs" loading={upload.isPending} {...props}>
          {label}
        </Button>
      )}
    </FileButton>
  );
  return (
    <Stack gap="sm" role="group" aria-label={text.title}>
      <Input.Label labelElement="div">{text.title}</Input.Label>
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
        {logo ? (
          <LogoThumb id={logo.asset_id} label={text.current} />
        ) : (
          <IconPhoto size={32} stroke={1.25} aria-hidden className={classes.icon} />
        )}
        <div className={classes.words}>
          <Text size="sm" fw={500}>
            {logo ? text.current : text.drop}
          </Text>
          <Text size="xs" c="dimmed">
            {text.formats}
          </Text>
        </div>
        <Group gap="xs">
          {button(logo ? text.replace : text.choose)}
          {logo && (
            <Button variant="subtle" color="gray" size="xs" onClick={() => onChange(plain)}>
              {text.remove}
            </Button>
          )}
        </Group>
      </Paper>
      {upload.isPending && (
        <Group gap="xs" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="xs">{text.reading}</Text>
        </Group>
      )}
      {upload.error && <Refusal error={upload.error} />}
      {upload.data?.isFlattened && logo?.asset_id === upload.data.id && (
        <Text size="xs" c="dimmed" role="status">
          {text.asPicture}
        </Text>
      )}
      {logo ? (
        <LogoSettings
          logo={logo}
          link={link}
          isCompact={style.compact}
          onChange={next => onChange({ ...style, logo: next })}
        />
      ) : (
        <Known onChoice={use} />
      )}
    </Stack>
  );
}

function Refusal({ error }: { readonly error: unknown }) {
  if (!(error instanceof LogoRefusal)) return <Problem error={error} title={text.failed} />;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {error.message}
    </Alert>
  );
}

/** A few of the newest: all of them are on the page of designs. */
const shown = 6;

function Known({ onChoice }: { readonly onChoice: (id: string) => void }) {
  const { data = [] } = useQuery(assetsQuery(useMode()));
  if (data.length === 0) return null;
  return (
    <div>
      <Text size="xs" c="dimmed" mb={6}>
        {text.yours}
      </Text>
      <Group gap="xs">
        {data.slice(0, shown).map(({ id }, at) => (
          <UnstyledButton
            key={id}
            className={classes.choice}
            aria-label={text.use(at + 1)}
            onClick={() => onChoice(id)}
          >
            <LogoThumb id={id} />
          </UnstyledButton>
        ))}
      </Group>
    </div>
  );
}
