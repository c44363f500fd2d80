import { IconCloudOff } from '@tabler/icons-react';
import { useOnline } from '../../api/online.ts';
import { shellText } from '../../strings/shell.ts';
import { Sentence } from '../../ui/sentence.tsx';
import classes from './shell.module.css';

const words = shellText.offline;

/** Stays at the top of every page while the browser has no connection. */
export function OfflineBanner() {
  return (
    <div role="status" className={classes.connection}>
      {useOnline() ? null : (
        <div className={classes.offline}>
          <IconCloudOff size={18} aria-hidden />
          <span>
            <Sentence text={words.text} parts={{ title: <b>{words.title}</b> }} />
          </span>
        </div>
      )}
    </div>
  );
}
