import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import type { MacroAction } from '@parley/contracts/inbox/macros'
import { useQuery } from '@tanstack/react-query'
import { AutoComplete, Input, Select } from 'antd'
import { memberChoices } from '../../../lib/choices/members.ts'
import { useTags } from '../../../lib/choices/tags.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { popupInside } from '../../../ui/popup-inside.ts'
import named from '../named-list.module.css'
import styles from './macros.module.css'

const kinds: Record<MacroAction['kind'], string> = {
  add_tag: 'Add a tag',
  remove_tag: 'Remove a tag',
  assign: 'Assign the conversation',
  unassign: 'Assign to nobody',
  reply: 'Send a reply',
  note: 'Write a note for the team',
  snooze: 'Snooze the conversation',
  close: 'Close the conversation',
}

const snoozes = new Map([
  [1, 'For an hour'],
  [3, 'For 3 hours'],
  [24, 'For a day'],
  [72, 'For 3 days'],
  [168, 'For a week'],
])

/** Returns the action of another kind; what fits both stays. */
function actionOf(kind: MacroAction['kind'], before: MacroAction): MacroAction {
  const text = 'text' in before ? before.text : ''
  const tag = 'tag' in before ? before.tag : ''
  if (kind === 'add_tag' || kind === 'remove_tag') return { kind, tag }
  if (kind === 'reply' || kind === 'note') return { kind, text }
  return kind === 'snooze' ? { kind, hours: 24 } : { kind }
}

interface Props {
  readonly number: number
  readonly action: MacroAction
  readonly problem: string | undefined
  readonly onChange: (action: MacroAction) => void
  /** Absent at an end of the list. */
  readonly onUp: (() => void) | undefined
  readonly onDown: (() => void) | undefined
  readonly onRemove: (() => void) | undefined
}

/** One action of a macro: what is done, and with what. */
export function MacroActionField({ number, action, problem, onChange, onUp, onDown, onRemove }: Props) {
  return (
    <li className={styles['action']}>
      <div className={styles['head']}>
        <Select
          aria-label={`Action ${number}`}
          value={action.kind}
          options={Object.entries(kinds).map(([value, label]) => ({ value: value as MacroAction['kind'], label }))}
          getPopupContainer={popupInside}
          onChange={(kind) => onChange(actionOf(kind, action))}
        />
        <IconButton label={`Move action ${number} up`} disabled={!onUp} onClick={onUp}>
          <ArrowUpOutlined aria-hidden />
        </IconButton>
        <IconButton label={`Move action ${number} down`} disabled={!onDown} onClick={onDown}>
          <ArrowDownOutlined aria-hidden />
        </IconButton>
        <IconButton label={`Remove action ${number}`} disabled={!onRemove} onClick={onRemove}>
          <DeleteOutlined aria-hidden />
        </IconButton>
      </div>
      <ActionValue number={number} action={action} onChange={onChange} />
      {problem && (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
    </li>
  )
}

function ActionValue({ number, action, onChange }: Pick<Props, 'number' | 'action' | 'onChange'>) {
  const tags = useTags()
  switch (action.kind) {
    case 'add_tag':
    case 'remove_tag':
      return (
        <AutoComplete
          aria-label={`Tag of action ${number}`}
          placeholder="Tag"
          value={action.tag}
          options={tags.map(({ name }) => ({ value: name }))}
          getPopupContainer={popupInside}
          onChange={(tag: string) => onChange({ ...action, tag })}
        />
      )
    case 'assign':
      return <MemberSelect number={number} action={action} onChange={onChange} />
    case 'reply':
    case 'note':
      return (
        <>
          <Input.TextArea
            aria-label={`Text of action ${number}`}
            dir="auto"
            autoSize={{ minRows: 2, maxRows: 6 }}
            maxLength={4096}
            value={action.text}
            onChange={({ target }) => onChange({ ...action, text: target.value })}
          />
          {action.kind === 'reply' && (
            <p className={named['quiet']}>
              {'{{name}}'}, {'{{first_name}}'} and {'{{phone}}'} are replaced with the contact’s details.
            </p>
          )}
        </>
      )
    case 'snooze':
      return (
        <Select
          aria-label={`Time of action ${number}`}
          value={action.hours}
          options={[
            ...new Map([...snoozes, [action.hours, snoozes.get(action.hours) ?? `For ${action.hours} hours`]]),
          ].map(([value, label]) => ({ value, label }))}
          getPopupContainer={popupInside}
          onChange={(hours) => onChange({ ...action, hours })}
        />
      )
    default:
      return null
  }
}

function MemberSelect({
  number,
  action,
  onChange,
}: {
  number: number
  action: Extract<MacroAction, { kind: 'assign' }>
  onChange: (action: MacroAction) => void
}) {
  const { data: members } = useQuery(memberChoices())
  const { memberId } = action
  const isGone = members !== undefined && memberId !== undefined && !members.some(({ userId }) => userId === memberId)
  return (
    <Select
      aria-label={`Member of action ${number}`}
      value={memberId ?? ''}
      status={isGone ? 'error' : ''}
      options={[
        { value: '', label: 'To whoever runs it' },
        ...(members ?? []).map(({ userId, name }) => ({ value: userId, label: `To ${name}` })),
        ...(isGone ? [{ value: memberId, label: 'A former member', disabled: true }] : []),
      ]}
      getPopupContainer={popupInside}
      onChange={(id) => onChange({ kind: 'assign', ...(id !== '' && { memberId: id }) })}
    />
  )
}
