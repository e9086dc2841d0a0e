import CloseOutlined from '@ant-design/icons/CloseOutlined'
import { Tag } from 'antd'
import styles from './pill.module.css'

const colours = {
  grey: 'default',
  green: 'success',
  blue: 'processing',
  amber: 'warning',
  red: 'error',
  violet: 'purple',
} as const

/** A status colour is not legible on its own ground in every theme. */
const legible = { root: { color: 'var(--text)' } }

export type PillColour = keyof typeof colours

/** A tag, cut off where it is long. `onRemove` gives it a cross; the tag stays until its owner takes it away. */
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
    <Tag
      color={colours[colour]}
      className={styles['pill'] ?? ''}
      styles={legible}
      title={children}
      {...(onRemove && {
        closeIcon: <CloseOutlined aria-label={`Remove ${children}`} />,
        onClose: (event) => {
          event.preventDefault()
          onRemove()
        },
      })}
    >
      <span className={styles['text']} dir="auto">
        {children}
      </span>
    </Tag>
  )
}
