import styles from './composer.module.css'
import type { useMentionSuggestions } from './use-mention-suggestions.ts'

/** Lists colleagues whom a note may mention; the arrow keys move, Enter takes one. */
export function MentionSuggestions({
  colleagues,
  active,
  listId,
  idOf,
  choose,
}: Pick<ReturnType<typeof useMentionSuggestions>, 'colleagues' | 'active' | 'listId' | 'idOf' | 'choose'>) {
  return (
    <div className={styles['suggestions']}>
      <div id={listId} role="listbox" aria-label="Colleagues">
        {colleagues.map((colleague, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field.
          <div
            key={colleague.userId}
            id={idOf(index)}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(colleague)}
          >
            <b dir="auto">{colleague.name}</b>
            <span>{colleague.role}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
