import PaperClipOutlined from '@ant-design/icons/PaperClipOutlined'
import { Button } from 'antd'
import styles from './composer.module.css'
import type { useReplySuggestions } from './use-reply-suggestions.ts'

type Suggestions = Pick<
  ReturnType<typeof useReplySuggestions>,
  'replies' | 'active' | 'failed' | 'loading' | 'listId' | 'idOf' | 'choose'
>

/** The saved replies that were found; the arrow keys move, Enter takes one. */
export function ReplySuggestions({
  replies,
  active,
  failed,
  loading,
  listId,
  idOf,
  choose,
  onManage,
}: Suggestions & { onManage: () => void }) {
  return (
    <div className={styles['suggestions']}>
      {replies.length > 0 && (
        <div id={listId} role="listbox" aria-label="Saved replies">
          {replies.map((reply, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field.
            <div
              key={reply.id}
              id={idOf(index)}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(reply)}
            >
              <b>/{reply.shortcut}</b>
              <span dir="auto">
                {reply.file && <PaperClipOutlined aria-label="With a file:" />} {reply.text || reply.file?.fileName}
              </span>
            </div>
          ))}
        </div>
      )}
      <p className={styles['hint']} role="status">
        {failed && 'The saved replies could not be loaded. '}
        {loading && 'Loading... '}
        {!failed && !loading && replies.length === 0 && 'No saved reply begins with this. '}
        <Button size="small" type="link" onClick={onManage}>
          Manage saved replies
        </Button>
      </p>
    </div>
  )
}
