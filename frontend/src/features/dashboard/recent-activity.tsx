import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import InboxOutlined from '@ant-design/icons/InboxOutlined'
import MessageOutlined from '@ant-design/icons/MessageOutlined'
import NotificationOutlined from '@ant-design/icons/NotificationOutlined'
import RobotOutlined from '@ant-design/icons/RobotOutlined'
import type { ActivityItem } from '@parley/contracts/platform/dashboard'
import { Link } from '../../lib/navigation.ts'
import { Timestamp } from '../../ui/timestamp.tsx'
import { Panel } from './panel.tsx'
import styles from './recent-activity.module.css'

const kinds = {
  message: { Icon: MessageOutlined, word: 'Message' },
  campaign: { Icon: NotificationOutlined, word: 'Campaign' },
  bot: { Icon: RobotOutlined, word: 'Bot' },
  error: { Icon: CloseCircleOutlined, word: 'Error' },
} as const

/** Shows the latest activity, newest first. */
export function RecentActivity({
  items,
  now,
  timeZone,
}: {
  items: readonly ActivityItem[]
  now: Date
  timeZone: string
}) {
  return (
    <Panel title="Recent Activity">
      {items.length === 0 ? (
        <Nothing />
      ) : (
        <ul className={styles['list']}>
          {items.map((item) => (
            <Item key={item.id} item={item} now={now} timeZone={timeZone} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Item({
  item: { kind, text, object, at },
  now,
  timeZone,
}: {
  item: ActivityItem
  now: Date
  timeZone: string
}) {
  const { Icon, word } = kinds[kind]
  return (
    <li className={styles['item']} data-kind={kind}>
      <span className={styles['icon']}>
        <Icon role="img" aria-label={word} />
      </span>
      <span className={styles['words']}>
        <Link className={styles['text']} to={activityLink({ object })}>
          {text}
        </Link>
        <span className={styles['object']} dir="auto">
          {object.name}
        </span>
      </span>
      <span className={styles['time']}>
        <Timestamp at={at} now={now} timeZone={timeZone} side="left" />
      </span>
    </li>
  )
}

function Nothing() {
  return (
    <div className={styles['empty']}>
      <InboxOutlined aria-hidden="true" />
      <p>Nothing has happened yet</p>
      <p className={styles['object']}>Activity from your messages, campaigns and bots appears here.</p>
    </div>
  )
}

const places: Readonly<Record<ActivityItem['object']['kind'], (id: string) => string>> = {
  conversation: (id) => `/conversations?id=${id}`,
  campaign: (id) => `/broadcasts?id=${id}`,
  bot: (id) => `/bots?bot=${id}`,
}

/** Returns the address of an item's object. */
export const activityLink = ({ object: { kind, id } }: Pick<ActivityItem, 'object'>): string => places[kind](id)
