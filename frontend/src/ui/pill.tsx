import CloseOutlined from '@ant-design/icons/CloseOutlined'
import styles from './pill.module.css'

export type PillColour = 'grey' | 'green' | 'blue' | 'amber' | 'red' | 'violet'

/** A tag. `onRemove` gives it a cross. */
export function Pill({
  colour = 'grey',
  onRemove,
  children,
}: {
  colour?: PillColour
  onRemove?: (() => void) | undefined
  children: string
}) {
  return (
    <span className={styles['pill']} data-colour={colour} title={children}>
      <span className={styles['text']} dir="auto">
        {children}
      </span>
      {onRemove && (
        <button type="button" className={styles['remove']} aria-label={`Remove ${children}`} onClick={onRemove}>
          <CloseOutlined aria-hidden />
        </button>
      )}
    </span>
  )
}
