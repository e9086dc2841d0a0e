import type { Connection } from '@parley/contracts/automation/connections'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { connectionChoices } from '../../../lib/choices/connections.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { Link } from '../../../lib/navigation.ts'
import { useLast } from '../../../lib/use-last.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { SkeletonTable } from '../../../ui/skeleton.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { toast } from '../../../ui/toast.ts'
import named from '../named-list.module.css'
import { SettingsCard } from '../settings-card.tsx'
import { authenticationNames, ConnectionDialog } from './connection-dialog.tsx'
import styles from './connections.module.css'
import { connectionOptions, useRemoveConnection } from './connections-api.ts'
import { TestConnectionDialog } from './test-connection-dialog.tsx'

type Open = { readonly kind: 'new' } | { readonly kind: 'edit' | 'test' | 'remove'; readonly connection: Connection }

/** Other systems that steps of bots and workflows call. */
export function ConnectionsTab() {
  const refused = useIsRefused('workspace:write')
  const { data, error, isFetching, refetch } = useQuery({ ...connectionChoices(), enabled: !refused })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const shownFor = (kind: Open['kind']) => (open?.kind === kind && 'connection' in open ? open.connection : undefined)
  if (refused)
    return (
      <EmptyState
        title="You may not change connections"
        message="Owners and admins of the workspace connect other systems. Ask one of them."
      />
    )
  return (
    <div className={named['tab']}>
      <SettingsCard
        title="Connections"
        badge={
          <Button type="primary" className={named['new'] ?? ''} onClick={() => setOpen({ kind: 'new' })}>
            Create Connection
          </Button>
        }
        lead="Other systems that steps of bots and workflows call. A connection fixes the host and keeps its secret; a step adds path and body."
      >
        {data ? (
          data.length > 0 ? (
            <ul className={named['list']}>
              {data.map((connection) => (
                <Row key={connection.id} connection={connection} onOpen={(kind) => setOpen({ kind, connection })} />
              ))}
            </ul>
          ) : (
            <div>
              <EmptyState
                title="No connections yet"
                message="Connect your shop, your calendar or your own server, and call it from a bot or workflow."
              />
            </div>
          )
        ) : error && !isFetching ? (
          <ErrorState message="The connections could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <SkeletonTable rows={2} height="64px" />
        )}
      </SettingsCard>
      <ConnectionDialog
        open={open?.kind === 'new' || open?.kind === 'edit'}
        connection={shownFor('edit')}
        onClose={close}
      />
      <TestConnectionDialog connection={shownFor('test')} onClose={close} />
      <RemoveDialog connection={shownFor('remove')} onClose={close} />
    </div>
  )
}

function Row({ connection, onOpen }: { connection: Connection; onOpen: (kind: 'edit' | 'test' | 'remove') => void }) {
  const { name, baseUrl, authentication, failingUntil } = connection
  return (
    <li className={named['row']}>
      <div className={named['name']}>
        <b dir="auto">{name}</b>
        <code>{baseUrl}</code>
        <span className={named['quiet']}>
          {authentication.kind === 'none' ? 'Without authentication' : authenticationNames[authentication.kind]}
        </span>
      </div>
      {failingUntil !== undefined && <StatusBadge tone="danger">Failing</StatusBadge>}
      <RowMenu
        label={`Actions for ${name}`}
        actions={[
          { key: 'test', label: 'Test Connection', onSelect: () => onOpen('test') },
          { key: 'edit', label: 'Edit', onSelect: () => onOpen('edit') },
          { key: 'remove', label: 'Delete', danger: true, onSelect: () => onOpen('remove') },
        ]}
      />
    </li>
  )
}

/** Asks before a connection is deleted, and names the flows that use it. */
function RemoveDialog({ connection, onClose }: { connection: Connection | undefined; onClose: () => void }) {
  const shown = useLast(connection)
  const remove = useRemoveConnection()
  const { data } = useQuery({ ...connectionOptions(connection?.id ?? ''), enabled: connection !== undefined })
  if (!shown) return null
  const users = data?.usedBy ?? []
  return (
    <ConfirmDialog
      open={connection !== undefined}
      title={`Delete ${shown.name}?`}
      confirmLabel="Delete Connection"
      danger
      pending={remove.isPending}
      onConfirm={() =>
        remove.mutate(shown.id, {
          onSuccess: () => {
            toast.success(`${shown.name} is deleted.`)
            onClose()
          },
          onError: (error) => toast.error(explain(error, 'The connection could not be deleted. Try again.')),
        })
      }
      onClose={onClose}
    >
      {users.length > 0 ? (
        <>
          <p>These use it. What is published keeps it from being deleted:</p>
          <ul className={styles['users']}>
            {users.map(({ kind, id, name, published }) => (
              <li key={id}>
                <Link to={kind === 'bot' ? `/bots?bot=${id}` : `/workflows?workflow=${id}`}>{name}</Link>{' '}
                <span className={named['quiet']}>{published ? 'published' : 'draft only'}</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>No bot or workflow uses it. Its secret is deleted with it.</p>
      )}
    </ConfirmDialog>
  )
}
