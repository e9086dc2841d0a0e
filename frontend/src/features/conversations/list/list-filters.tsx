import CheckSquareOutlined from '@ant-design/icons/CheckSquareOutlined'
import StarOutlined from '@ant-design/icons/StarOutlined'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { botChoices } from '../../../lib/choices/bots.ts'
import { memberChoices } from '../../../lib/choices/members.ts'
import { numberChoices } from '../../../lib/choices/numbers.ts'
import { useTags } from '../../../lib/choices/tags.ts'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { ViewsMenu } from '../../../ui/views-menu.tsx'
import { type ChangeInboxUrl, type InboxUrl, listFilterOf, noFilters } from '../url.ts'
import { AlertsMenu } from './alerts-menu.tsx'
import styles from './list-pane.module.css'

const sorts = [
  { value: 'newest', label: 'Newest' },
  { value: 'waiting', label: 'Waiting longest' },
  { value: 'due', label: 'Due first' },
  { value: 'window', label: 'Closing soon' },
] as const

interface Props {
  url: InboxUrl
  change: ChangeInboxUrl
  /** Begins to select conversations; absent where none can be. */
  onSelect: (() => void) | undefined
}

/** Filter by number, tag and owner, and the order of the list. */
export function ListFilters({ url, change, onSelect }: Props) {
  const tags = useTags()
  const numbers = useQuery(numberChoices()).data ?? []
  const members = useQuery(memberChoices()).data ?? []
  const bots = useQuery(botChoices()).data ?? []
  const one = (
    name: 'number' | 'tag' | 'owner' | 'bot',
    label: string,
    options: { value: string; label: string }[],
  ) => {
    const value = url[name]
    return { name, label, many: false, options, chosen: value ? [value] : [] }
  }
  return (
    <div className={styles['filters']}>
      <FilterMenu
        groups={[
          {
            name: 'due',
            label: 'Response',
            many: false,
            options: [{ value: 'overdue', label: 'Overdue' }],
            chosen: url.due ? [url.due] : [],
          },
          one(
            'number',
            'Number',
            numbers.map(({ id, displayName }) => ({ value: id, label: displayName })),
          ),
          one(
            'owner',
            'Assigned to',
            members.map(({ userId, name }) => ({ value: userId, label: name })),
          ),
          one(
            'bot',
            'With bot',
            bots.map(({ id, name }) => ({ value: id, label: name })),
          ),
          one(
            'tag',
            'Tag',
            tags.map(({ name }) => ({ value: name, label: name })),
          ),
        ]}
        onChange={(chosen) => change(chosen)}
      />
      <Select
        className={styles['sort'] ?? ''}
        aria-label="Order"
        variant="borderless"
        popupMatchSelectWidth={false}
        value={url.sort ?? 'newest'}
        options={[...sorts]}
        onChange={(sort) => change({ sort: sort === 'newest' ? undefined : sort })}
      />
      <ViewsMenu
        screen="conversations"
        shown={listFilterOf(url)}
        onShow={(query) => change({ ...noFilters, ...query })}
        button={
          <IconButton label="Saved views" title="Saved views">
            <StarOutlined aria-hidden />
          </IconButton>
        }
      />
      {onSelect && (
        <IconButton label="Select conversations" title="Select conversations" onClick={onSelect}>
          <CheckSquareOutlined aria-hidden />
        </IconButton>
      )}
      <AlertsMenu />
    </div>
  )
}
