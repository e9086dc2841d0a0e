import type { ApiKey } from '@parley/contracts/account/api-keys'
import { useMemberName } from '../../../lib/choices/members.ts'
import { formatDay } from '../../../lib/format.ts'
import { relativeTime } from '../../../lib/relative-time.ts'
import cards from '../../../ui/cards.module.css'
import { useHistoryAction } from '../../../ui/history-link.tsx'
import { type Column, RecordTable } from '../../../ui/record-table.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { useIsMobile } from '../../../ui/use-media.ts'
import styles from './api-keys.module.css'
import { scopeLabel } from './key-form.ts'

export type KeyAction = 'calls' | 'edit' | 'rotate' | 'revoke'

interface Props {
  readonly keys: readonly ApiKey[]
  readonly mayWrite: boolean
  readonly clock: { readonly now: Date; readonly timeZone: string }
  readonly onOpen: (kind: KeyAction, key: ApiKey) => void
}

/** A table above 768 px, cards below. */
export function KeyList({ keys, ...props }: Props) {
  const columns: readonly Column<ApiKey>[] = [
    { heading: 'Key', cell: (key) => <Name apiKey={key} /> },
    { heading: 'Scopes', cell: (key) => <Scopes apiKey={key} /> },
    { heading: 'Last used', className: styles['when'], cell: (key) => <LastUsed apiKey={key} clock={props.clock} /> },
    { heading: 'Expires', className: styles['when'], cell: (key) => <Expiry apiKey={key} /> },
  ]
  if (useIsMobile()) return <KeyCards keys={keys} {...props} />
  return <RecordTable records={keys} columns={columns} actions={(key) => <Actions apiKey={key} {...props} />} />
}

function KeyCards({ keys, ...props }: Props) {
  return (
    <ul className={cards['grid']}>
      {keys.map((key) => (
        <li key={key.id} className={cards['card']}>
          <div className={styles['cardHead']}>
            <Name apiKey={key} />
            <Actions apiKey={key} {...props} />
          </div>
          <Scopes apiKey={key} />
          <dl className={cards['facts']}>
            <div>
              <dt>Last used</dt>
              <dd>
                <LastUsed apiKey={key} clock={props.clock} />
              </dd>
            </div>
            <div>
              <dt>Expires</dt>
              <dd>
                <Expiry apiKey={key} />
              </dd>
            </div>
          </dl>
        </li>
      ))}
    </ul>
  )
}

function Name({ apiKey: { name, prefix, createdBy } }: { apiKey: ApiKey }) {
  const maker = useMemberName()(createdBy, 'a former member')
  return (
    <div className={styles['name']}>
      <b dir="auto" title={name}>
        {name}
      </b>
      <code>{prefix}_…</code>
      {maker && <span className={styles['quiet']}>by {maker}</span>}
    </div>
  )
}

function Scopes({ apiKey: { scopes, numbers, networks } }: { apiKey: ApiKey }) {
  const [first = '', ...others] = scopes.map(scopeLabel)
  const limits = [
    numbers.length > 0 && `${numbers.length} of the numbers`,
    networks.length > 0 && 'some addresses only',
  ].filter(Boolean)
  return (
    <div className={styles['scopes']} title={scopes.map(scopeLabel).join('\n')}>
      <span>{first}</span>
      {others.length > 0 && <span className={styles['quiet']}>and {others.length} more</span>}
      {limits.length > 0 && <span className={styles['quiet']}>{limits.join(', ')}</span>}
    </div>
  )
}

function LastUsed({ apiKey: { lastUsedAt, lastUsedIp }, clock }: { apiKey: ApiKey; clock: Props['clock'] }) {
  if (lastUsedAt === null) return <span className={styles['quiet']}>Never</span>
  return (
    <>
      {relativeTime(new Date(lastUsedAt), clock.now, clock.timeZone)}
      <div className={styles['quiet']}>{lastUsedIp}</div>
    </>
  )
}

function Expiry({ apiKey: { expiresAt, expired, replacedBy } }: { apiKey: ApiKey }) {
  if (expired) return <StatusBadge tone="danger">Expired</StatusBadge>
  return (
    <>
      {expiresAt === null ? 'Never' : formatDay(expiresAt)}
      {replacedBy !== null && <div className={styles['quiet']}>Replaced</div>}
    </>
  )
}

function Actions({ apiKey, mayWrite, onOpen }: { apiKey: ApiKey } & Pick<Props, 'mayWrite' | 'onOpen'>) {
  const historyOf = useHistoryAction()
  return (
    <RowMenu
      label={`Actions for ${apiKey.name}`}
      actions={[
        { key: 'calls', label: 'Recent Calls', onSelect: () => onOpen('calls', apiKey) },
        ...historyOf(apiKey.id),
        ...(mayWrite ? [{ key: 'edit', label: 'Edit', onSelect: () => onOpen('edit', apiKey) }] : []),
        ...(mayWrite && apiKey.replacedBy === null
          ? [{ key: 'rotate', label: 'Rotate', onSelect: () => onOpen('rotate', apiKey) }]
          : []),
        ...(mayWrite
          ? [{ key: 'revoke', label: 'Revoke', danger: true, onSelect: () => onOpen('revoke', apiKey) }]
          : []),
      ]}
    />
  )
}
