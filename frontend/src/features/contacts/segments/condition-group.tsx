import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { maxConditionDepth } from '@parley/contracts/contacts/conditions'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import { Button, Segmented } from 'antd'
import { useRef } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './builder.module.css'
import { ConditionRow } from './condition-row.tsx'
import { type DraftEntry, type DraftGroup, isGroup, newCondition, newGroup, replaceEntry } from './draft.ts'

interface Props {
  group: DraftGroup
  depth?: number
  /** Position of the group: `2` for the second entry; empty for the outermost. */
  position?: string
  attributes: readonly Attribute[]
  names: readonly string[]
  asked: boolean
  /** The entry that was added last: it gets the focus. */
  added: number | undefined
  onChange: (next: DraftGroup) => void
  onAdded: (key: number) => void
  onRemove?: () => void
}

/** Conditions that all hold, or of which any holds; groups of them stand inside each other. */
export function ConditionGroupFields(props: Props) {
  const { group, depth = 1, position = '', onChange, onAdded, onRemove, ...shared } = props
  const add = useRef<HTMLButtonElement>(null)
  const name = position === '' ? 'Conditions' : `Group ${position}`
  const append = (entry: DraftEntry, focused: number) => {
    onChange({ ...group, entries: [...group.entries, entry] })
    onAdded(focused)
  }
  const set = (key: number, next: DraftEntry | undefined) => {
    onChange(replaceEntry(group, key, next))
    // The focused element is gone.
    if (!next) add.current?.focus()
  }
  return (
    <fieldset className={styles['group']} data-depth={depth}>
      <legend className="visually-hidden">{name}</legend>
      <div className={styles['head']}>
        <Segmented<DraftGroup['match']>
          aria-label={`${name}: how they are combined`}
          value={group.match}
          options={[
            { value: 'all', label: 'All are met' },
            { value: 'any', label: 'Any is met' },
          ]}
          onChange={(match) => onChange({ ...group, match })}
        />
        {onRemove && (
          <IconButton label={`Remove group ${position}`} onClick={onRemove}>
            <DeleteOutlined aria-hidden />
          </IconButton>
        )}
      </div>
      {group.entries.map((entry, index) => {
        const at = position === '' ? String(index + 1) : `${position}.${index + 1}`
        return isGroup(entry) ? (
          <ConditionGroupFields
            key={entry.key}
            {...shared}
            group={entry}
            depth={depth + 1}
            position={at}
            onChange={(next) => set(entry.key, next)}
            onAdded={onAdded}
            onRemove={() => set(entry.key, undefined)}
          />
        ) : (
          <ConditionRow
            key={entry.key}
            condition={entry}
            position={at}
            attributes={shared.attributes}
            names={shared.names}
            asked={shared.asked}
            autoFocus={entry.key === shared.added}
            onChange={(next) => set(entry.key, next)}
            onRemove={() => set(entry.key, undefined)}
          />
        )
      })}
      <div className={styles['adds']}>
        <Button
          ref={add}
          icon={<PlusOutlined aria-hidden />}
          onClick={() => {
            const condition = newCondition()
            append(condition, condition.key)
          }}
        >
          Add condition
        </Button>
        {depth < maxConditionDepth && (
          <Button
            onClick={() => {
              const inner = newGroup(group.match === 'all' ? 'any' : 'all')
              append(inner, inner.entries[0]?.key ?? inner.key)
            }}
          >
            Add group
          </Button>
        )}
      </div>
    </fieldset>
  )
}
