import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import MergeCellsOutlined from '@ant-design/icons/MergeCellsOutlined'
import MessageOutlined from '@ant-design/icons/MessageOutlined'
import NotificationOutlined from '@ant-design/icons/NotificationOutlined'
import StopOutlined from '@ant-design/icons/StopOutlined'
import UserAddOutlined from '@ant-design/icons/UserAddOutlined'
import type { TimelineItem } from '@parley/contracts/contacts/contact-timeline'
import { activityLabels, actorOf } from '@parley/rules/activity-labels'
import type { ReactNode } from 'react'
import { useIsRefused, useMemberName } from '../../../lib/choices/members.ts'
import { Link } from '../../../lib/navigation.ts'
import { recipientLabels } from '../../../lib/recipient-labels.ts'
import { fullTime } from '../../../lib/relative-time.ts'
import { useOwnId } from '../../../lib/user.ts'
import { evidenceOf, valueLabels } from '../../../ui/contact/consent-labels.ts'
import { Timestamp } from '../../../ui/timestamp.tsx'
import styles from './contact-timeline.module.css'

interface Clock {
  readonly now: Date
  readonly timeZone: string
}
type Of<K extends TimelineItem['kind']> = Extract<TimelineItem, { kind: K }>
type Who = (userId: string | undefined) => string

const icons = {
  added: UserAddOutlined,
  merged: MergeCellsOutlined,
  campaign: NotificationOutlined,
  activity: MessageOutlined,
  note: FileTextOutlined,
} as const

/** One thing that has happened: a sentence, what else is known of it, and when it was. */
export function TimelineEntry({ item, clock }: { item: TimelineItem; clock: Clock }) {
  const nameOf = useMemberName()
  const ownId = useOwnId()
  const mayNotImport = useIsRefused('contacts:import')
  const who: Who = (userId) => {
    if (userId === undefined) return 'A member'
    return userId === ownId ? 'You' : (nameOf(userId) ?? 'A member')
  }
  const Icon = item.kind === 'consent' ? (item.value === 'in' ? CheckCircleOutlined : StopOutlined) : icons[item.kind]
  const detail = detailOf(item, who)
  return (
    <li className={styles['item']} tabIndex={-1}>
      <Icon aria-hidden className={styles['icon'] ?? ''} />
      <div className={styles['words']}>
        <span>{sentenceOf(item, { who, mayNotImport, ...clock })}</span>
        {detail && (
          <span className={styles['detail']} dir="auto">
            {detail}
          </span>
        )}
        <span className={styles['when']}>
          <Timestamp at={item.at} {...clock} />
        </span>
      </div>
    </li>
  )
}

function sentenceOf(item: TimelineItem, known: { who: Who; mayNotImport: boolean; timeZone: string }): ReactNode {
  switch (item.kind) {
    case 'added':
      return <Added item={item} {...known} />
    case 'consent':
      return valueLabels(item)
    case 'merged':
      return (
        <>
          <bdi>{item.name}</bdi> was merged into this contact
        </>
      )
    case 'campaign':
      return <Campaign item={item} />
    case 'activity':
      return <Thread item={item}>{didIn(item, known)}</Thread>
    case 'note':
      return (
        <>
          {known.who(item.cause.id)} wrote a note in <Thread item={item}>the conversation</Thread>
        </>
      )
  }
}

function detailOf(item: TimelineItem, who: Who): string | undefined {
  if (item.kind === 'consent') return evidenceOf(item, who(item.memberId))
  if (item.kind === 'merged')
    return item.memberId === undefined
      ? 'WhatsApp reported that both are the same person'
      : `By ${inSentence(who(item.memberId))}`
  if (item.kind === 'note') return item.text
  if (item.kind !== 'campaign') return undefined
  const { state, clicked, replied, reason } = item
  const became = reason === undefined && recipientLabels[state].word
  return [became, clicked && 'Clicked', replied && 'Replied', reason].filter(Boolean).join(' · ')
}

const inSentence = (name: string): string => (name === 'You' ? 'you' : name)

function Added({ item, who, mayNotImport }: { item: Of<'added'>; who: Who; mayNotImport: boolean }) {
  const { source, memberId, import: file, name } = item
  const whom = name === undefined ? 'This contact' : <bdi>{name}</bdi>
  if (source === 'manual' && memberId !== undefined)
    return (
      <>
        {who(memberId)} added {name === undefined ? 'this contact' : whom}
      </>
    )
  if (source !== 'import' || !file)
    return (
      <>
        {whom} {addedWords[source]}
      </>
    )
  return (
    <>
      {whom} was added by the import of{' '}
      <bdi>{mayNotImport ? file.fileName : <Link to={`/contacts?import=${file.id}`}>{file.fileName}</Link>}</bdi>
    </>
  )
}

const addedWords: Record<Of<'added'>['source'], string> = {
  manual: 'was added by hand',
  import: 'was added by an import',
  inbound: 'was added when they first wrote',
  api: 'was added by the API',
}

function Campaign({ item: { campaignId, campaignName, state } }: { item: Of<'campaign'> }) {
  const [before, after] = campaignLabels[state]
  return (
    <>
      {before}{' '}
      <Link to={`/broadcasts?id=${campaignId}`}>
        <bdi>{campaignName}</bdi>
      </Link>{' '}
      {after}
    </>
  )
}

const campaignLabels: Record<Of<'campaign'>['state'], readonly [string, string?]> = {
  waiting: ['Chosen for the campaign'],
  sent: ['The campaign', 'was sent'],
  delivered: ['Received the campaign'],
  read: ['Received the campaign'],
  failed: ['The campaign', 'could not be delivered'],
  uncertain: ['The campaign', 'may have been sent'],
  left_out: ['Left out of the campaign'],
}

function didIn({ activity, cause, text }: Of<'activity'>, { who, timeZone }: { who: Who; timeZone: string }): string {
  if (!activity) return text
  const actor = actorOf(cause, who)
  return activityLabels(activity, { actor, who, timeOf: (iso) => fullTime(new Date(iso), timeZone) })
}

/** Leads to where in the conversation it was. */
const Thread = ({ item, children }: { item: Of<'activity' | 'note'>; children: string }) => (
  <Link to={`/conversations?id=${item.conversationId}&message=${item.messageId}`}>{children}</Link>
)
