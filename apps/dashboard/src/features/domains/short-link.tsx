import { Text } from '@mantine/core';
import { shownPath } from '../../ui/format.ts';
import { useMe } from '../shell/me.ts';
import classes from './short-link.module.css';

/** A short link in a list: its path, and below it the host where that is not the host of the service. */
export function ShortLink({ url }: { readonly url: string }) {
  const { service } = useMe();
  const { host } = new URL(url);
  const isOwn = host !== new URL(service.short_base_url).host;
  return (
    <div className={classes.link} data-host={isOwn || undefined} title={url}>
      <Text size="xs" ff="monospace" className={classes.line}>
        {shownPath(url)}
      </Text>
      {isOwn && (
        <Text size="xs" c="dimmed" className={classes.line}>
          {host}
        </Text>
      )}
    </div>
  );
}
