import CloseOutlined from '@ant-design/icons/CloseOutlined'
import FilterOutlined from '@ant-design/icons/FilterOutlined'
import { Button, Checkbox, Radio } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import styles from './filter-menu.module.css'
import { Popover } from './popover.tsx'

interface FilterOption {
  readonly value: string
  readonly label: string
}

/** One thing to filter by. `many` takes several values, else one. */
export interface FilterGroup {
  readonly name: string
  readonly label: string
  readonly many: boolean
  readonly options: readonly FilterOption[]
  readonly chosen: readonly string[]
}

/** A filter that is written elsewhere. */
interface OtherFilter {
  readonly label: string
  /** Filter in words; absent while there is none. */
  readonly text: string | undefined
  readonly onOpen: () => void
  readonly onRemove: () => void
}

interface Filters {
  groups: readonly FilterGroup[]
  other?: OtherFilter
  /** Takes the current choice of each changed group, by the group's name: values with commas between them, or nothing. */
  onChange: (chosen: Record<string, string>) => void
}

/** The Filter button with its choices, and what is chosen as chips that take themselves away. */
export function FilterMenu({ groups, other, onChange }: Filters) {
  const [open, setOpen] = useState(false)
  const active = groups.flatMap((group) => group.chosen.map((value) => ({ group, value })))
  const count = active.length + (other?.text ? 1 : 0)
  const without = (group: FilterGroup, value: string) => group.chosen.filter((other) => other !== value)
  return (
    <>
      <Popover
        label="Filter"
        open={open}
        onOpenChange={setOpen}
        align="start"
        button={
          // Its type is written out, since the popover names that of an HTML button.
          <Button type="default" icon={<FilterOutlined aria-hidden />}>
            Filter
            {count > 0 && <span className={styles['count']}>{count}</span>}
          </Button>
        }
      >
        <Choices groups={groups} onChange={onChange} onDone={() => setOpen(false)}>
          {other && (
            <Button
              onClick={() => {
                setOpen(false)
                other.onOpen()
              }}
            >
              {other.label}
            </Button>
          )}
        </Choices>
      </Popover>
      {active.map(({ group, value }) => {
        const text = group.options.find((option) => option.value === value)?.label ?? value
        return (
          <Button
            key={`${group.name}:${value}`}
            shape="round"
            className={styles['chip'] ?? ''}
            aria-label={`Remove filter ${group.label}: ${text}`}
            icon={<CloseOutlined aria-hidden />}
            iconPlacement="end"
            onClick={() => onChange({ [group.name]: without(group, value).join(',') })}
          >
            <span className={styles['chipText']}>
              {group.label}: <b>{text}</b>
            </span>
          </Button>
        )
      })}
      {other?.text && (
        <Button
          shape="round"
          className={styles['chip'] ?? ''}
          aria-label={`Remove filter ${other.text}`}
          icon={<CloseOutlined aria-hidden />}
          iconPlacement="end"
          onClick={other.onRemove}
        >
          <span className={styles['chipText']}>
            <b>{other.text}</b>
          </span>
        </Button>
      )}
    </>
  )
}

function Choices({
  groups,
  onChange,
  onDone,
  children,
}: Pick<Filters, 'groups' | 'onChange'> & { onDone: () => void; children: ReactNode }) {
  const id = useId()
  const any = groups.some(({ chosen }) => chosen.length > 0)
  return (
    <div className={styles['choices']}>
      {children}
      {groups.map(({ name, label, many, options, chosen }) => (
        <fieldset key={name} className={styles['group']}>
          <legend>{label}</legend>
          {many ? (
            options.map((option) => (
              <Checkbox
                key={option.value}
                checked={chosen.includes(option.value)}
                onChange={({ target }) => {
                  const others = chosen.filter((value) => value !== option.value)
                  onChange({ [name]: (target.checked ? [...others, option.value] : others).join(',') })
                }}
              >
                {option.label}
              </Checkbox>
            ))
          ) : (
            <Radio.Group
              className={styles['radios'] ?? ''}
              name={`${id}-${name}`}
              value={chosen[0] ?? ''}
              onChange={({ target }) => onChange({ [name]: String(target.value) })}
              options={[{ value: '', label: 'Any' }, ...options]}
            />
          )}
        </fieldset>
      ))}
      <div className={styles['foot']}>
        <Button
          type="text"
          disabled={!any}
          onClick={() => onChange(Object.fromEntries(groups.map(({ name }) => [name, ''])))}
        >
          Clear filters
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  )
}
